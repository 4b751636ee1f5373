import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const FLUSH_AFTER_MS = 200;
const FLUSH_AT_CHARACTERS = 16_384;
/** A pipe does not mix so many bytes with those of another process (POSIX, PIPE_BUF on Linux). */
const NEVER_MIXED_BYTES = 4_096;
/** How much may wait for a slow reader; further lines are dropped. */
const MOST_WAITING_CHARACTERS = 4 * 1024 * 1024;

/**
 * Writes log lines to a file descriptor in batches, outside the event loop. Waiting lines are written when the process
 * exits. A failed reader (a closed terminal, a broken pipe, a full disk) loses lines but never fails a request or a
 * clean stop. Where other processes write to the descriptor too, `isShared`, their lines are never mixed.
 */
export function openLogOutput({ descriptor = 1, isShared = false } = {}): DestinationStream {
  let waiting = '';
  let onItsWay: Buffer | null = null;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (onItsWay !== null || waiting === '') return;
    const batch = isShared ? linesWithin(waiting, NEVER_MIXED_BYTES) : waiting;
    onItsWay = Buffer.from(batch);
    waiting = waiting.slice(batch.length);
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
      while (waiting !== '') {
        const batch = isShared ? linesWithin(waiting, NEVER_MIXED_BYTES) : waiting;
        writeSync(descriptor, batch);
        waiting = waiting.slice(batch.length);
      }
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

/** Returns as many of the first lines as fit into so many bytes, and at least one. */
function linesWithin(lines: string, bytes: number): string {
  if (Buffer.byteLength(lines) <= bytes) return lines;
  let end = lines.indexOf('\n') + 1;
  for (let size = Buffer.byteLength(lines.slice(0, end)); ; ) {
    const next = lines.indexOf('\n', end) + 1;
    if (next === 0) return lines.slice(0, end);
    size += Buffer.byteLength(lines.slice(end, next));
    if (size > bytes) return lines.slice(0, end);
    end = next;
  }
}
