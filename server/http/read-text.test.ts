import { expect, test } from 'vitest';
import { readText } from './read-text.ts';

/** A body of these pieces, which breaks off after them where `broken`. Reports how much of it was read. */
function sending(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  { broken = false, length = undefined as number | undefined } = {},
) {
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const piece = left.shift();
        if (piece !== undefined) controller.enqueue(piece);
        else if (broken) controller.error(new Error('aborted'));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = length === undefined ? {} : { 'Content-Length': String(length) };
  const request = new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  return { request, left };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const MEGABYTE = new Uint8Array(1024 * 1024);

test('text in pieces, cut within a character', async () => {
  const all = bytes('a🔑b');
  expect(await readText(sending([all.slice(0, 3), all.slice(3)]).request, 6)).toEqual({
    outcome: 'read',
    text: 'a🔑b',
  });
});

test('no body is no text', async () => {
  expect(await readText(new Request('http://localhost/', { method: 'POST' }), 6)).toEqual({
    outcome: 'read',
    text: '',
  });
});

test.each([
  ['stated', 3],
  ['not stated', undefined],
])('a body that is too large is drained, so that the response arrives: length %s', async (_, megabytes) => {
  const length = megabytes === undefined ? undefined : megabytes * MEGABYTE.length;
  const { request, left } = sending([MEGABYTE, MEGABYTE, MEGABYTE], { length });
  expect(await readText(request, 10)).toEqual({ outcome: 'too-large' });
  expect(left).toEqual([]);
});

test('a drained body is bounded', async () => {
  const { request, left } = sending(Array.from({ length: 100 }, () => MEGABYTE));
  expect(await readText(request, 10)).toEqual({ outcome: 'too-large' });
  expect(100 - left.length).toBeLessThan(20);
});

test.each([
  ['no UTF-8', sending([new Uint8Array([0xff])])],
  ['half a surrogate pair', sending([new Uint8Array([0xed, 0xa0, 0x80])])],
  ['broken off', sending([bytes('a')], { broken: true })],
])('%s is no text', async (_, { request }) => expect(await readText(request, 10)).toEqual({ outcome: 'not-utf8' }));

test('a body that is aborted while it is drained is still too large', async () => {
  expect(await readText(sending([MEGABYTE], { broken: true }).request, 10)).toEqual({ outcome: 'too-large' });
});

test('a body longer than its Content-Length is too large if nothing has cut it', async () => {
  const { request } = sending([bytes('abcdef')], { length: 2 });
  expect(await readText(request, 4)).toEqual({ outcome: 'too-large' });
});
