import { expect, test } from 'vitest';
import { isGatewayFailure, isUnreachable, pause, sendWithin, WAITS_MS, waitAfter } from './retry-policy.ts';

/** Rejects when it is aborted and never otherwise, as `fetch` does on a silent connection. */
const silent = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('a silent connection is given up in time', async () => {
  await expect(sendWithin(20, silent)).rejects.toThrow('No response came in time.');
});

test('the caller ends an attempt, also one that begins after it has aborted', async () => {
  const stop = new AbortController();
  const sent = sendWithin(60_000, silent, stop.signal);
  stop.abort(new Error('gone'));
  await expect(sent).rejects.toThrow('gone');
  await expect(sendWithin(60_000, silent, stop.signal)).rejects.toThrow('gone');
});

test('the caller ends the reading of a body that has begun', async () => {
  const stop = new AbortController();
  let seen: AbortSignal | undefined;
  await sendWithin(
    60_000,
    async (signal) => {
      seen = signal;
      return new Response('part');
    },
    stop.signal,
  );
  expect(seen?.aborted).toBe(false);
  stop.abort();
  expect(seen?.aborted).toBe(true);
});

test('a pause ends when its caller aborts', async () => {
  const stop = new AbortController();
  const paused = pause(60_000, stop.signal);
  stop.abort(new Error('gone'));
  await expect(paused).rejects.toThrow('gone');
  await expect(pause(60_000, stop.signal)).rejects.toThrow('gone');
  await pause(0);
});

test('a lost connection and a gateway error mean unreachable, an error of the service does not', () => {
  expect([0, 200, 429, 500, 502, 503, 504].filter(isUnreachable)).toEqual([0, 502, 503, 504]);
  expect([0, 500, 502, 503, 504].filter(isGatewayFailure)).toEqual([502, 503, 504]);
});

test('delays grow, and the last one repeats', () => {
  for (const waits of Object.values(WAITS_MS)) expect([...waits].sort((a, b) => a - b)).toEqual([...waits]);
  expect([0, 1, 99].map((attempt) => waitAfter(attempt, [1, 2]))).toEqual([1, 2, 2]);
});
