import { expect, test } from 'vitest';
import { noticeEndedSession } from './notice-ended-session.ts';

const origin = 'https://reunite.example';

/** Counts the questions; each is answered when the test says so. */
function question() {
  const answers: ((token: string | null) => void)[] = [];
  return { answers, ask: () => new Promise<string | null>((answer) => answers.push(answer)) };
}

test.each([
  ['/rest/v1/items', 401],
  ['/storage/v1/object/item-photos/a', 400],
])('a refusal by %s is handed on when it is known whether the session stands', async (path, status) => {
  const { answers, ask } = question();
  const send = noticeEndedSession(async () => new Response(null, { status }), ask);
  let handedOn = 0;
  const calls = ['one', 'another'].map(async () => {
    const answer = await send(origin + path);
    handedOn += 1;
    return answer.status;
  });
  await expect.poll(() => answers.length).toBe(1);
  expect(handedOn).toBe(0);
  answers[0]?.(null);
  expect(await Promise.all(calls)).toEqual([status, status]);
  expect(answers).toHaveLength(1);

  const later = send(origin + path);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(null);
  expect((await later).status).toBe(status);
});

test('with another token for the session a refused call is made once more, and its answer is the answer', async () => {
  const bearers: (string | null)[] = [];
  const send = noticeEndedSession(
    async (_input, init) => {
      bearers.push(new Headers(init?.headers).get('Authorization'));
      return new Response(init?.body, { status: 401 });
    },
    async () => 'new',
  );
  const answer = await send(`${origin}/rest/v1/items`, {
    method: 'POST',
    body: 'an item',
    headers: { Authorization: 'Bearer old' },
  });
  expect(await answer.text()).toBe('an item');
  expect(bearers).toEqual(['Bearer old', 'Bearer new']);
});

test('a question that is not answered leaves the refusal what it was', async () => {
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
  const { answers, ask } = question();
  expect((await noticeEndedSession(async () => new Response(null, { status }), ask)(origin + path)).status).toBe(
    status,
  );
  expect(answers).toEqual([]);
});
