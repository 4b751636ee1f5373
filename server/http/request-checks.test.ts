import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { AppEnv } from './app-env.ts';
import { type RequestCheck, requestChecks } from './request-checks.ts';

/** Serves `/` after these checks, and returns the response's text with the names of the checks that ran. */
async function get(...all: readonly (readonly [name: string, check: RequestCheck])[]) {
  const ran: string[] = [];
  const app = new Hono<AppEnv>();
  app.use(
    requestChecks(
      ...all.map(([name, check]): RequestCheck => {
        return (c) => {
          ran.push(name);
          return check(c);
        };
      }),
    ),
  );
  app.get('/', (c) => c.text('page'));
  app.onError((error, c) => c.text(error.message, 500));
  const response = await app.request('/');
  return { ran, text: await response.text(), status: response.status };
}

const pass: RequestCheck = () => undefined;
const passLater: RequestCheck = async () => undefined;
const respond: RequestCheck = (c) => c.text('stop', 403);
const respondLater: RequestCheck = async (c) => c.text('stop', 403);

test('a request passes all checks in turn, at once or later', async () => {
  expect(await get(['first', pass], ['second', passLater], ['third', pass])).toEqual({
    ran: ['first', 'second', 'third'],
    text: 'page',
    status: 200,
  });
});

test.each([
  ['at once', respond],
  ['later', respondLater],
])('a check that responds %s is the last one', async (_, check) => {
  expect(await get(['first', passLater], ['second', check], ['third', pass])).toEqual({
    ran: ['first', 'second'],
    text: 'stop',
    status: 403,
  });
});

test.each([
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
] as const)('a check that %s is handled as an error of the application', async (_, check) => {
  expect(await get(['first', check], ['second', pass])).toEqual({ ran: ['first'], text: 'broken', status: 500 });
});
