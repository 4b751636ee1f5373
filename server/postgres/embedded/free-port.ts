import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of common systems (Linux from 32768, macOS and Windows from 49152): one of those could be
 * taken by an outgoing connection before the program listens on it.
 */
const LOWEST = 20_000;
const BEYOND_HIGHEST = 32_768;
const TRIES = 20;

/** Returns a loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = randomInt(LOWEST, BEYOND_HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES} ports between ${LOWEST} and ${BEYOND_HIGHEST} is free.`);
}

/** Whether a loopback port is free now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
