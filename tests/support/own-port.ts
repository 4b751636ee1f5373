import { randomInt } from 'node:crypto';
import { isFree } from '#server/free-port.ts';

/** Below those that the product chooses from. Each worker has some of its own: two could be told of the same one. */
const LOWEST = 11_000;
const PORTS = 1_000;
/** Of Vitest from 1, of Playwright from 0. */
const WORKER = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0);

let given = randomInt(PORTS);

/** A loopback port that nobody listens on, and that nobody else in the tests is told of before a thousand others. */
export async function ownPort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    given = (given + 1) % PORTS;
    const port = LOWEST + WORKER * PORTS + given;
    if (await isFree(port)) return port;
  }
  throw new Error(`None of the ports of worker ${WORKER} is free.`);
}
