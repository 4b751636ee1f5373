import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { publicPushKey } from '#server/delivery/push/push-key.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createPushSubscription } from '#tests/support/factories/create-push-subscription.ts';
import type { TestBrowser } from '#tests/support/push-service.ts';
import { seededRandom } from '#tests/support/seeded-random.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { type Receivers, startReceivers } from './failing-receivers.ts';
import { startServers } from './killed-servers.ts';
import { type Act, AGAIN_AFTER_A_KILL, doAct, everyNoticeIsDone, FAILURES, FIRST_STEPS } from './notices.ts';

const MESSAGES = 200;
/** How long a finder takes, in milliseconds. */
const PACE_MS = 100;
/** Ten for owners who do nothing, and one for each act that ends notices. A day's limit of emails for an item is 20. */
const IDLE_OWNERS = 10;
const ACTS = ['reads', 'mutes', 'deletes'] as const;

/** Repeats a run: `SEED=123 npx vitest run --project long-runs tests/crash/random-notices`. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const random = seededRandom(seed);

const database = await createTestDatabase();

/** An owner whom an email, a browser, a webhook, and a topic of ntfy notify. */
interface Listener {
  readonly owner: TestOwner;
  readonly item: TestItem;
  readonly browser: TestBrowser;
  readonly topic: string;
  readonly act: Act | null;
}

interface Message {
  readonly id: string;
  readonly text: string;
  readonly listener: Listener;
  /** Whether it came after the acts. */
  readonly isLate: boolean;
}

test(`${MESSAGES} messages reach their owners while receivers fail and servers are killed (seed ${seed})`, async () => {
  const receivers = await startReceivers(random);
  const listeners: Listener[] = [];
  for (let index = 0; index < IDLE_OWNERS; index += 1) listeners.push(await createListener(receivers, null));
  for (const act of ACTS) listeners.push(await createListener(receivers, act));
  const servers = await startServers(database, receivers, random);

  receivers.fail(FAILURES);
  const messages: Message[] = [];
  let isSending = true;
  const killing = servers.killWhile(() => isSending);
  for (let count = 0; count < MESSAGES; count += 1) {
    const listener = listeners[count % listeners.length];
    if (listener === undefined) throw new Error('There is no owner.');
    const message = { id: randomUUID(), text: `I found it, number ${count}.`, listener, isLate: count >= MESSAGES / 2 };
    // In the middle of it all.
    if (count === MESSAGES / 2) for (const { act, item } of listeners) await doAct(database, act, item);
    // The finder who will be muted writes in one conversation, all others once.
    const finderKey = listener.act === 'mutes' ? listener.owner.id : randomUUID();
    if (await servers.send({ ...message, qrId: listener.item.qrId, finderKey })) messages.push(message);
    await pause(PACE_MS);
    await servers.keepPace((count + 1) / MESSAGES);
  }
  isSending = false;
  const kills = await killing;
  receivers.fail(0);
  await everyNoticeIsDone(database, FIRST_STEPS);

  // Each message is there once.
  const stored = (await database.query<{ body: string }>('select body from public.messages')).map(({ body }) => body);
  const ofIdle = messages.filter(({ listener }) => listener.act === null);
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(ofIdle.map(({ text }) => text)));
  expect(receivers.push.refused).toEqual([]);

  // Each receiver got each message, and again only where a kill came between the response and its record.
  const notices = ofIdle.flatMap((message) => countsOf(receivers, message));
  expect(notices).toHaveLength(3 * ofIdle.length);
  expect(notices.filter((times) => times === 0)).toEqual([]);
  const again = notices.reduce((sum, times) => sum + times - 1, 0);
  expect(again).toBeLessThanOrEqual(kills * AGAIN_AFTER_A_KILL);
  for (const listener of listeners.filter(({ act }) => act === null)) {
    const own = ofIdle.filter((message) => message.listener === listener);
    const byNtfy = receivers.acceptedAt(listener.topic);
    expect(byNtfy).toBeGreaterThanOrEqual(own.length);
    expect(byNtfy).toBeLessThanOrEqual(own.length + kills * AGAIN_AFTER_A_KILL);
  }

  // The finders of idle owners read that their messages were delivered.
  expect(
    await database.query(
      `select from public.conversations as conversation
           join public.messages as message on message.conversation_id = conversation.id
           where message.id = any ($1) and (delivered_until is null or delivered_until < message.created_at)`,
      [ofIdle.map(({ id }) => id)],
    ),
  ).toEqual([]);

  // A muted finder's later messages arrive and notify nobody; an item that is gone gets none.
  const lateOf = (act: Listener['act']) => messages.filter(({ listener, isLate }) => isLate && listener.act === act);
  const muted = lateOf('mutes');
  expect(muted.length).toBeGreaterThan(0);
  expect(muted.flatMap((message) => countsOf(receivers, message)).filter((times) => times > 0)).toEqual([]);
  expect(stored).toEqual(expect.arrayContaining(muted.map(({ text }) => text)));
  expect(lateOf('deletes')).toEqual([]);
});

/** How often an email, a push, and a webhook were about a message. */
function countsOf(receivers: Receivers, { id, text, listener: { owner, browser } }: Message): number[] {
  const pushes = browser.arrived.filter(({ payload }) => JSON.stringify(payload).includes(text));
  return [receivers.mailsWith(text, owner), pushes.length, receivers.webhooksOf(id)];
}

async function createListener(receivers: Receivers, act: Listener['act']): Promise<Listener> {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const browser = receivers.subscribe();
  const { id } = await createPushSubscription(database, owner, browser, publicPushKey(receivers.pushKey));
  await database.query('update public.push_subscriptions set shows_text = true where id = $1', [id]);
  const topic = receivers.path();
  await createNoticeAddress(database, owner, { kind: 'webhook', url: receivers.url(receivers.path()) });
  await createNoticeAddress(database, owner, { kind: 'ntfy', url: receivers.url(topic) });
  return { owner, item, browser, topic, act };
}
