import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame } from './frames.ts';

const frame = { joinRef: '1', ref: '2', topic: 'realtime:a', event: 'phx_join', payload: { a: [1, 'é'] } };

test.each(['1.0.0', '2.0.0'] as const)('a frame of version %s is read as it was written', (version) => {
  expect(decodeFrame(encodeFrame(version, frame, JSON.stringify(frame.payload)), version)).toEqual(frame);
});

test('a frame of one protocol version is invalid in the other', () => {
  expect(decodeFrame(encodeFrame('1.0.0', frame, '{}'), '2.0.0')).toBeNull();
  expect(decodeFrame(encodeFrame('2.0.0', frame, '{}'), '1.0.0')).toBeNull();
});

test('a binary broadcast of the official client is known as one', () => {
  const text = '12realtime:aevent';
  const bytes = new Uint8Array([3, 1, 1, 10, 5, 0, 1, ...new TextEncoder().encode(`${text}{}`)]);
  expect(decodeFrame(bytes.buffer, '2.0.0')).toMatchObject({
    joinRef: '1',
    ref: '2',
    topic: 'realtime:a',
    event: 'broadcast',
  });
  expect(decodeFrame(bytes.buffer, '1.0.0')).toBeNull();
  expect(decodeFrame(bytes.subarray(0, 12).slice().buffer, '2.0.0')).toBeNull();
});

test('no frame of a client makes the parser throw', () => {
  const version = fc.constantFrom('1.0.0' as const, '2.0.0' as const);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.uint8Array().map((b) => b.slice().buffer),
      ),
      version,
      (data, vsn) => {
        const decoded = decodeFrame(data, vsn);
        if (decoded !== null) expect(typeof decoded.topic).toBe('string');
      },
    ),
  );
  expect(decodeFrame(`[null,null,"a","b",${'['.repeat(20_000)}${']'.repeat(20_000)}]`, '2.0.0')).toMatchObject({
    topic: 'a',
  });
});
