import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import type { ClockTime } from '../test-clock.ts';

/** What the first of the file's two numbers says. The second is the moment, or how far the clock is ahead. */
const RUNS = 0;
const STANDS = 1;
const STANDS_WITH_DATE = 2;
const BYTES = 16;

/** Writes a clock's time to a file. It is there for every process when this returns. */
export function writeTime(path: string, time: ClockTime): void {
  const numbers =
    'at' in time
      ? Float64Array.of(time.isOfDate ? STANDS_WITH_DATE : STANDS, time.at)
      : Float64Array.of(RUNS, time.ahead);
  // Not truncated, and in one write, so that no reader finds half of it.
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT);
  writeSync(file, new Uint8Array(numbers.buffer), 0, BYTES, 0);
  closeSync(file);
}

/**
 * Returns a clock that shows what `writeTime` has written last. The file must exist. Where the test has stopped `Date`
 * (`holdTime`), that of this process follows too.
 */
export function followTime(path: string): () => number {
  const machine = Date.now.bind(Date);
  const file = openSync(path, 'r');
  const bytes = new Uint8Array(BYTES);
  const numbers = new Float64Array(bytes.buffer);
  const read = () => {
    readSync(file, bytes, 0, BYTES, 0);
    const [kind = RUNS, ms = 0] = numbers;
    return { kind, ms };
  };
  const now = () => {
    const { kind, ms } = read();
    return kind === RUNS ? machine() + ms : ms;
  };
  if (read().kind === STANDS_WITH_DATE) Date.now = now;
  return now;
}
