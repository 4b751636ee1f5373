import { randomInt } from 'node:crypto';
import { isFree } from '#server/postgres/embedded/free-port.ts';

/**
 * Below the ports that the product chooses from. Each worker has its own range, so that two workers cannot get the same
 * port.
 */
const LOWEST = 11_000;
const PORTS = 1_000;
/** Of Vitest from 1, of Playwright from 0. Both run at the same time. */
const { VITEST_POOL_ID, TEST_PARALLEL_INDEX = '0' } = process.env;
const WORKER = VITEST_POOL_ID === undefined ? 4 + Number(TEST_PARALLEL_INDEX) : Number(VITEST_POOL_ID);

let given = randomInt(PORTS);

/** Returns a free loopback port, which other tests do not get before a thousand others. */
export async function ownPort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    given = (given + 1) % PORTS;
    const port = LOWEST + WORKER * PORTS + given;
    if (await isFree(port)) return port;
  }
  throw new Error(`None of the ports of worker ${WORKER} is free.`);
}
