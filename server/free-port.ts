import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (Linux from 32768, macOS and Windows from 49152): one of
 * those can be gone again before the program that was told of it listens there.
 */
const LOWEST = 20_000;
const BEYOND_HIGHEST = 32_768;
const TRIES = 20;

/** A loopback port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = randomInt(LOWEST, BEYOND_HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES} ports between ${LOWEST} and ${BEYOND_HIGHEST} is free.`);
}

/** Whether nobody listens on a loopback port now. */
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
