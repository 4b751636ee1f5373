import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const FLUSH_AFTER_MS = 200;
const FLUSH_AT_CHARACTERS = 16_384;
/** What may wait for a reader that does not read; what comes after is dropped. */
const MOST_WAITING_CHARACTERS = 4 * 1024 * 1024;

/**
 * Lines of the log to a file descriptor, gathered and written beside the event loop; what waits is written when the
 * process exits. A reader that is gone (a closed terminal, a broken pipe, a full disk) costs the lines that it misses,
 * never a request or a clean stop.
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
  // Not as soon as the last piece is written: under load that would be a system call for every few lines.
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
      // Nobody reads any more.
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
