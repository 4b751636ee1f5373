import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const FLUSH_AFTER_MS = 200;
const FLUSH_AT_CHARACTERS = 16_384;
/** How much may wait for a slow reader; further lines are dropped. */
const MOST_WAITING_CHARACTERS = 4 * 1024 * 1024;

/**
 * Writes log lines to a file descriptor in batches, outside the event loop. Waiting lines are written when the process
 * exits. A failed reader (a closed terminal, a broken pipe, a full disk) loses lines but never fails a request or a
 * clean stop.
 */
export function openLogOutput(descriptor = 1): DestinationStream {
  let waiting = '';
  let onItsWay: Buffer | null = null;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (onItsWay !== null || waiting === '') return;
    onItsWay = Buffer.from(waiting);
    waiting = '';
    send(onItsWay);
  };
  // Not immediately after the previous write: under load that would be a system call for every few lines.
  const flushWhenDue = () => {
    if (waiting.length >= FLUSH_AT_CHARACTERS) flush();
    else if (waiting !== '') timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  };
  const send = (lines: Buffer) => {
    write(descriptor, lines, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(send, FLUSH_AFTER_MS, lines).unref();
        return;
      }
      if (error === null && written < lines.length) {
        send(lines.subarray(written));
        return;
      }
      onItsWay = null;
      flushWhenDue();
    });
  };
  process.once('exit', () => {
    try {
      writeSync(descriptor, waiting);
    } catch {
      // The reader is gone.
    }
  });

  return {
    write(line) {
      if (waiting.length + line.length > MOST_WAITING_CHARACTERS) return;
      waiting += line;
      flushWhenDue();
    },
  };
}
