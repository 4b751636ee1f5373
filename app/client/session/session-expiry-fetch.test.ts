import { expect, test } from 'vitest';
import { noticeEndedSession } from './session-expiry-fetch.ts';

const origin = 'https://reunite.example';

/** Counts the calls; each resolves when the test says so. */
function question() {
  const responses: ((token: string | null) => void)[] = [];
  return { responses, ask: () => new Promise<string | null>((response) => responses.push(response)) };
}

test.each([
  ['/rest/v1/items', 401],
  ['/storage/v1/object/item-photos/a', 400],
])('a refusal by %s is returned once the session has been checked', async (path, status) => {
  const { responses, ask } = question();
  const send = noticeEndedSession(async () => new Response(null, { status }), ask);
  let handedOn = 0;
  const calls = ['one', 'another'].map(async () => {
    const response = await send(origin + path);
    handedOn += 1;
    return response.status;
  });
  await expect.poll(() => responses.length).toBe(1);
  expect(handedOn).toBe(0);
  responses[0]?.(null);
  expect(await Promise.all(calls)).toEqual([status, status]);
  expect(responses).toHaveLength(1);

  const later = send(origin + path);
  await expect.poll(() => responses.length).toBe(2);
  responses[1]?.(null);
  expect((await later).status).toBe(status);
});

test('a refused call is sent once more with a new token, and the second response is returned', async () => {
  const bearers: (string | null)[] = [];
  const send = noticeEndedSession(
    async (_input, init) => {
      bearers.push(new Headers(init?.headers).get('Authorization'));
      return new Response(init?.body, { status: 401 });
    },
    async () => 'new',
  );
  const response = await send(`${origin}/rest/v1/items`, {
    method: 'POST',
    body: 'an item',
    headers: { Authorization: 'Bearer old' },
  });
  expect(await response.text()).toBe('an item');
  expect(bearers).toEqual(['Bearer old', 'Bearer new']);
});

test('without a response to the session check the refusal is returned', async () => {
  const send = noticeEndedSession(
    async () => new Response(null, { status: 401 }),
    async () => {
      throw new TypeError('There is no connection.');
    },
  );
  expect((await send(`${origin}/rest/v1/items`)).status).toBe(401);
});

test.each([
  ['/rest/v1/items', 200],
  ['/rest/v1/items', 403],
  ['/storage/v1/object/item-photos/a', 404],
  ['/auth/v1/user', 401],
])('%s with %i says nothing of the session', async (path, status) => {
  const { responses, ask } = question();
  expect((await noticeEndedSession(async () => new Response(null, { status }), ask)(origin + path)).status).toBe(
    status,
  );
  expect(responses).toEqual([]);
});
