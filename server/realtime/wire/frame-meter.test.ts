import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameMeter } from './frame-meter.ts';

const CONTINUATION = 0;
const TEXT = 1;
const PING = 9;

/** One masked frame, as a client sends it. */
function frame(opcode: number, length: number, isFinal = true): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  const head =
    length < 126
      ? Buffer.from([first, 0x80 | length])
      : length < 65_536
        ? Buffer.from([first, 0x80 | 126, length >> 8, length & 255])
        : Buffer.from([
            first,
            0x80 | 127,
            0,
            0,
            0,
            0,
            length >>> 24,
            (length >> 16) & 255,
            (length >> 8) & 255,
            length & 255,
          ]);
  return Buffer.concat([head, Buffer.alloc(4), Buffer.alloc(length, 'x')]);
}

test('a finished message holds no bytes, however it was fragmented', () => {
  const message = fc
    .array(fc.nat({ max: 70_000 }), { minLength: 1, maxLength: 4 })
    .map((lengths) =>
      Buffer.concat(
        lengths.flatMap((length, index) => [
          frame(index === 0 ? TEXT : CONTINUATION, length, index === lengths.length - 1),
          ...(index < lengths.length - 1 ? [frame(PING, 5)] : []),
        ]),
      ),
    );
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      (messages, cuts) => {
        const bytes = Buffer.concat(messages);
        const meter = new FrameMeter();
        const ends = [...new Set([...cuts.map((cut) => cut % bytes.length), bytes.length])].sort((a, b) => a - b);
        let from = 0;
        for (const end of ends) {
          meter.take(bytes.subarray(from, end), 7);
          expect(meter.startedAt === null).toBe(meter.heldBytes === 0);
          from = end;
        }
        expect([meter.startedAt, meter.heldBytes, meter.messageBytes]).toEqual([null, 0, 0]);
      },
    ),
    { numRuns: 200 },
  );
});

test('an unfinished message counts each of its chunks and fragments', () => {
  const meter = new FrameMeter();
  meter.take(frame(TEXT, 1, false), 1_000);
  const first = meter.heldBytes;
  for (let count = 0; count < 99; count += 1) meter.take(frame(CONTINUATION, 1, false), 2_000 + count);
  expect(meter.startedAt).toBe(1_000);
  expect(meter.messageBytes).toBe(100);
  expect(meter.heldBytes).toBe(100 * first);
  const together = new FrameMeter();
  together.take(Buffer.concat([frame(TEXT, 1, false), ...Array(99).fill(frame(CONTINUATION, 1, false))]), 1_000);
  expect(together.messageBytes).toBe(100);
  expect(together.heldBytes).toBeGreaterThan(100 * 128);
});

test('a frame counts by the length that it announces', () => {
  const meter = new FrameMeter();
  meter.take(frame(TEXT, 65_000).subarray(0, 20), 5);
  expect([meter.messageBytes, meter.startedAt]).toEqual([65_000, 5]);
  expect(meter.heldBytes).toBeLessThan(1_000);
});

test('the time of a message begins with it, not with the one before it in the same chunk', () => {
  const meter = new FrameMeter();
  meter.take(frame(TEXT, 10, false), 1);
  meter.take(Buffer.concat([frame(CONTINUATION, 10), frame(TEXT, 10, false)]), 9);
  expect([meter.startedAt, meter.messageBytes]).toEqual([9, 10]);
});
