import { expect, test } from 'vitest';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createPushSubscription } from '#tests/support/factories/create-push-subscription.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { startPushService, type TestBrowser } from '#tests/support/push-service.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';
import { passTime } from './pass-time.ts';

const database = await createTestDatabase();
const pushService = await startPushService();
const push = pushService.createSender();
const logged: string[] = [];
const caught = catchDelivery();
const { limits } = await work(database, { push });
whenDone(() => expect(pushService.refused).toEqual([]));

async function work(on: TestDatabase, parts: Parameters<typeof dependenciesForJobs>[3]) {
  const dependencies = dependenciesForJobs(on.address, caught, logged, parts);
  const jobs = await startJobs(dependencies);
  whenDone(async () => {
    await jobs.stop();
    await dependencies.database.close();
  });
  return dependencies;
}

/** An owner with an item and some browsers that receive pushes. */
async function createListener({ browsers = 1 } = {}) {
  const owner = await createOwner(database);
  const item = await createItem(database, owner, { itemName: 'Blue backpack' });
  const listening: (TestBrowser & { readonly id: string; readonly session: string })[] = [];
  for (let count = 0; count < browsers; count += 1) {
    const browser = pushService.subscribe(push.publicKey);
    listening.push(Object.assign(browser, await createPushSubscription(database, owner, browser, push.publicKey)));
  }
  const [browser] = listening;
  if (browser === undefined) throw new Error('An owner without a browser listens to nothing.');
  return { owner, item, browser, browsers: listening };
}

/** What has failed so waits until a test lets the time pass, on the busiest machine too. */
const anHourLater: NonNullable<TestBrowser['respond']> = (response) =>
  void response.writeHead(429, { 'Retry-After': '3600' }).end();

interface State {
  readonly failures: number;
  readonly is_failing: boolean;
  readonly has_ended: boolean;
  readonly was_delivered: boolean;
  readonly wait: number;
}

async function stateOf({ id }: { readonly id: string }): Promise<State | undefined> {
  const [state] = await database.query<State>(
    `select failures, failing_since is not null as is_failing, ended_at is not null as has_ended,
       delivered_at is not null as was_delivered, coalesce(extract(epoch from retry_at - now()), 0)::integer as wait
       from public.push_subscriptions where id = $1`,
    [id],
  );
  return state;
}

/** The pushes to a browser that wait in the queue: in how many seconds each runs. */
async function waitingFor({ id }: { readonly id: string }): Promise<number[]> {
  const rows = await database.query<{ wait: number }>(
    `select extract(epoch from run_at - now())::integer as wait from graphile_worker.jobs
       where task_identifier = 'send_push' and key like 'send_push:' || $1 || ':%' order by 1`,
    [id],
  );
  return rows.map(({ wait }) => wait);
}

test('a message reaches each browser of its owner, and says nothing that a lock screen must not show [K55]', async () => {
  const { item, owner, browsers } = await createListener({ browsers: 2 });
  const { browser: other } = await createListener();
  await sendMessage(database, item, 'Call me at +1 555 0100, I am at Elm Street 5');
  const [conversation] = await database.query<{ id: string }>(
    'select id from public.conversations where item_id = $1',
    [item.id],
  );
  for (const browser of browsers) {
    await expect.poll(() => browser.arrived).toHaveLength(1);
    expect(browser.arrived).toEqual([
      {
        endpoint: browser.endpoint,
        payload: {
          web_push: 8030,
          notification: {
            title: 'Someone found “Blue backpack”',
            body: 'Open Reunite to read and reply.',
            navigate: `https://lost.example.org/item/${item.qrId}`,
            lang: 'en',
            dir: 'ltr',
            tag: conversation?.id,
            renotify: true,
          },
          app_badge: 1,
        },
        ttl: '86400',
        topic: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
        urgency: 'high',
        subject: 'https://lost.example.org',
      },
    ]);
    await expect.poll(() => stateOf(browser)).toMatchObject({ was_delivered: true, is_failing: false });
  }
  const topics = browsers.map(({ arrived: [first] }) => first?.topic);
  // A push service must not learn which pushes, of which browsers, belong to one conversation.
  expect(new Set(topics).size).toBe(2);
  expect(topics).not.toContain(conversation?.id.replaceAll('-', ''));
  expect(other.attempts).toBe(0);
  await caught.takeEmailTo(owner.email);
});

test('its text is shown where the owner chose that, and a later message of the conversation says so', async () => {
  const { item, owner, browser } = await createListener();
  // Without an email, nothing but the push delivers the messages.
  await database.query('update auth.users set email = null, email_confirmed_at = null where id = $1', [owner.id]);
  await database.query('update public.push_subscriptions set shows_text = true where id = $1', [browser.id]);
  const key = 'a-finders-key-of-some-length';
  for (const text of ['I found it', 'At the desk']) {
    await database.query('select public.send_message($1, $2, gen_random_uuid(), $3)', [item.qrId, text, key]);
    await expect.poll(() => browser.arrived.at(-1)).toMatchObject({ payload: { notification: { body: text } } });
  }
  expect(browser.arrived).toMatchObject([
    { payload: { notification: { title: expect.stringContaining('Someone found ') }, app_badge: 1 } },
    { payload: { notification: { title: expect.stringContaining('New message about ') }, app_badge: 2 } },
  ]);
  expect(browser.arrived[0]?.topic).toBe(browser.arrived[1]?.topic);
  const isDelivered = `select delivered_until = (select max(created_at) from public.messages where item_id = $1) as yes
    from public.conversations where item_id = $1`;
  await expect.poll(() => database.query(isDelivered, [item.id])).toEqual([{ yes: true }]);
});

test.each([
  { showsText: true, place: null, shown: 'I have it' },
  { showsText: true, place: 'the front desk', shown: 'I have it at the front desk' },
  { showsText: false, place: 'the front desk', shown: 'Open Reunite to read and reply.' },
])('of a tap at $place without words a push says “$shown” (texts: $showsText)', async ({ showsText, place, shown }) => {
  const { item, browser } = await createListener();
  await database.query('update public.push_subscriptions set shows_text = $2 where id = $1', [browser.id, showsText]);
  await database.query("select public.send_message($1, '', kind_param => 'have_it', place_param => $2)", [
    item.qrId,
    place,
  ]);
  await expect.poll(() => browser.arrived).toMatchObject([{ payload: { notification: { body: shown } } }]);
});

test.each([404, 410])('%i ends a subscription', async (status) => {
  const { item, browser } = await createListener();
  browser.respond = (response) => void response.writeHead(status).end();
  await sendMessage(database, item);
  await expect.poll(() => stateOf(browser)).toMatchObject({ has_ended: true });
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  await sendMessage(database, item);
  expect(await waitingFor(browser)).toEqual([]);
  expect(browser.attempts).toBe(1);
});

test('a push service that asks for time gets it, from all messages, and then each of them arrives [K55]', async () => {
  const { item, browser } = await createListener();
  browser.respond = anHourLater;
  await sendMessage(database, item, 'One');
  await expect.poll(() => stateOf(browser)).toMatchObject({ failures: 1, is_failing: true });
  await sendMessage(database, item, 'Two');
  await expect.poll(() => waitingFor(browser)).toEqual([expect.closeTo(3_600, -2), expect.closeTo(3_600, -2)]);
  expect(browser.attempts).toBe(1);

  browser.respond = null;
  await passTime(database, 'push', browser);
  await expect.poll(() => browser.arrived).toHaveLength(2);
  await expect.poll(() => stateOf(browser)).toMatchObject({ failures: 0, is_failing: false, wait: 0 });
});

test.each([
  ['an error', (response: Parameters<NonNullable<TestBrowser['respond']>>[0]) => void response.writeHead(500).end()],
  ['a redirect', (response) => void response.writeHead(307, { Location: 'https://push.example.com/' }).end()],
  ['a refusal of the signature', (response) => void response.writeHead(403).end()],
  ['no response', (response) => void response.destroy()],
  ['a wait without sense', (response) => void response.writeHead(503, { 'Retry-After': '-1e99 fortnights' }).end()],
])('after %s it is tried again', async (_, respond) => {
  const { item, browser } = await createListener();
  browser.respond = respond;
  await sendMessage(database, item);
  await expect.poll(() => stateOf(browser)).toMatchObject({ is_failing: true, has_ended: false });
  await expect.poll(() => waitingFor(browser)).toHaveLength(1);
  await expect.poll(() => browser.attempts).toBeGreaterThan(0);
});

test('the waits grow, and after a day without success the subscription has ended', async () => {
  const { item, browser } = await createListener();
  // The log names no subscription. No other test has this status.
  browser.respond = (response) => void response.writeHead(507).end();
  const waits = () =>
    logged
      .map((line): { status?: number; seconds?: number } => JSON.parse(line))
      .filter(({ status }) => status === 507)
      .map(({ seconds }) => seconds);
  await sendMessage(database, item);
  for (const failures of [1, 2, 3]) {
    // A busy machine may have reached the next one by itself.
    await expect.poll(waits).toSatisfy(({ length }) => length >= failures);
    await passTime(database, 'push', browser, failures === 3 ? '25 hours' : '1 second');
  }
  await expect.poll(() => stateOf(browser)).toMatchObject({ has_ended: true });
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  expect(waits().slice(0, 3)).toEqual([3, 8, 21]);
  expect(browser.arrived).toEqual([]);
});

test('a message that was read, deleted, or is a day old is not pushed', async () => {
  const { item, browser } = await createListener();
  browser.respond = anHourLater;
  await sendMessage(database, item, 'Read');
  await expect.poll(() => stateOf(browser)).toMatchObject({ failures: 1 });
  await sendMessage(database, item, 'Deleted');
  await sendMessage(database, item, 'Old');
  await sendMessage(database, item, 'New');
  await database.query("update public.messages set read_at = now() where item_id = $1 and body = 'Read'", [item.id]);
  await database.query("delete from public.messages where item_id = $1 and body = 'Deleted'", [item.id]);
  await database.query(
    "update public.messages set created_at = now() - interval '25 hours' where item_id = $1 and body = 'Old'",
    [item.id],
  );
  browser.respond = null;
  await expect.poll(() => waitingFor(browser)).toHaveLength(4);
  await passTime(database, 'push', browser);
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  expect(browser.arrived).toMatchObject([{ payload: { app_badge: 2 } }]);
});

test.each([
  [
    'replied to',
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
       select id, item_id, owner_id, 'owner', 'Thank you' from public.conversations where item_id = $1`,
  ],
  ['returned', 'update public.conversations set returned_at = now() where item_id = $1'],
])('a message that waits to be pushed is not when it is %s', async (_, settle) => {
  const { item, owner, browser } = await createListener();
  browser.respond = anHourLater;
  await sendMessage(database, item, 'Waiting');
  await caught.takeEmailTo(owner.email);
  await expect.poll(() => stateOf(browser)).toMatchObject({ failures: 1 });
  await expect.poll(() => waitingFor(browser)).toHaveLength(1);
  await database.query(settle, [item.id]);
  browser.respond = null;
  await passTime(database, 'push', browser);
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  expect(browser.attempts).toBe(1);
});

test.each(['muted_at', 'blocked_at'])('a message that waits to be pushed is not when %s is set', async (column) => {
  const { item, owner, browser } = await createListener();
  browser.respond = anHourLater;
  await sendMessage(database, item, 'Waiting');
  await caught.takeEmailTo(owner.email);
  await expect.poll(() => stateOf(browser)).toMatchObject({ failures: 1 });
  await expect.poll(() => waitingFor(browser)).toHaveLength(1);
  await database.query(`update public.conversations set ${column} = now() where item_id = $1`, [item.id]);
  browser.respond = null;
  await passTime(database, 'push', browser);
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  expect(browser.attempts).toBe(1);
});

/** Sets the quiet hours, in hours from now. */
async function setQuietHours({ id }: { readonly id: string }, from: number, to: number): Promise<void> {
  await database.query(
    `insert into public.notice_settings (user_id, quiet_from, quiet_to, time_zone)
       select $1, (clock + make_interval(hours => $2))::time, (clock + make_interval(hours => $3))::time, 'UTC'
         from (select now() at time zone 'UTC' as clock) as utc
       on conflict (user_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to`,
    [id, from, to],
  );
}

test('in quiet hours pushes wait, and when they end the latest of each conversation arrives', async () => {
  const { item, owner, browser } = await createListener();
  await database.query('update public.push_subscriptions set shows_text = true where id = $1', [browser.id]);
  await setQuietHours(owner, -1, 3);
  const key = 'a-finders-key-of-some-length-at-night';
  const send = (text: string, by = key) =>
    database.query('select public.send_message($1, $2, gen_random_uuid(), $3)', [item.qrId, text, by]);
  await send('First');
  await send('Second');
  await send('Of another finder', `${key}-2`);
  await expect.poll(async () => (await waitingFor(browser)).filter((wait) => wait < 10_000)).toEqual([]);
  expect(browser.attempts).toBe(0);
  // Hours later.
  await database.query("update public.messages set created_at = created_at - interval '4 hours' where item_id = $1", [
    item.id,
  ]);
  await setQuietHours(owner, -5, -1);
  await passTime(database, 'push', browser);
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  expect(browser.arrived).toHaveLength(2);
  for (const body of ['Second', 'Of another finder']) {
    expect(browser.arrived).toContainEqual(
      expect.objectContaining({
        payload: expect.objectContaining({ notification: expect.objectContaining({ body }) }),
      }),
    );
  }
});

test.each([410, 500])(
  'an owner who wants no emails gets one about the message whose push has failed with %i',
  async (status) => {
    const { item, owner, browser } = await createListener();
    await database.query('insert into public.notice_settings (user_id, email) values ($1, false)', [owner.id]);
    browser.respond = (response) => void response.writeHead(status).end();
    await sendMessage(database, item, 'One');
    await expect.poll(() => caught.emails.filter(({ to }) => to === owner.email)).toHaveLength(1);
  },
);

test('an owner who wants no pushes gets none, and one who wants no emails gets pushes alone while they arrive', async () => {
  const { item, owner, browser } = await createListener();
  await database.query('insert into public.notice_settings (user_id, email) values ($1, false)', [owner.id]);
  await sendMessage(database, item, 'One');
  await expect.poll(() => browser.arrived).toHaveLength(1);
  const emails = () => caught.emails.filter(({ to }) => to === owner.email);
  const working = `select from graphile_worker.jobs where task_identifier = 'notify_owner_of_message'`;
  await expect.poll(() => database.query(working)).toEqual([]);
  expect(emails()).toEqual([]);

  browser.respond = (response) => void response.writeHead(500).end();
  await sendMessage(database, item, 'Two');
  await expect.poll(() => stateOf(browser)).toMatchObject({ is_failing: true });
  await sendMessage(database, item, 'Three');
  await expect.poll(emails).not.toEqual([]);

  browser.respond = null;
  await database.query('update public.notice_settings set push = false where user_id = $1', [owner.id]);
  // A push that was under way has read the setting before.
  const underWay = "select from graphile_worker.jobs where task_identifier = 'send_push' and locked_at is not null";
  await expect.poll(() => database.query(underWay)).toEqual([]);
  const attempts = browser.attempts;
  await sendMessage(database, item, 'Four');
  await passTime(database, 'push', browser);
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  expect(browser.attempts).toBe(attempts);
});

test('a push that was accepted before a crash is not sent again, and the message is delivered', async () => {
  const { item, owner, browser } = await createListener();
  await database.query('update auth.users set email = null, email_confirmed_at = null where id = $1', [owner.id]);
  const id = await sendMessage(database, item);
  await expect.poll(() => browser.arrived).toHaveLength(1);
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  // As if the crash had come before both were stored.
  await database.query('update public.conversations set delivered_until = null where item_id = $1', [item.id]);
  await database.query('update public.push_subscriptions set delivered_at = null where id = $1', [browser.id]);
  await database.query('select internal.enqueue_push($1, $2)', [browser.id, id]);
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  expect(browser.attempts).toBe(1);
  expect(await stateOf(browser)).toMatchObject({ was_delivered: true });
  const isDelivered = 'select delivered_until is not null as yes from public.conversations where item_id = $1';
  expect(await database.query(isDelivered, [item.id])).toEqual([{ yes: true }]);
});

test('a browser that subscribed with another key of the server has to subscribe again', async () => {
  const { item, owner, browser } = await createListener();
  const former = pushService.createSender();
  const outdated = pushService.subscribe(former.publicKey);
  const { id } = await createPushSubscription(database, owner, outdated, former.publicKey);
  await sendMessage(database, item);
  await expect.poll(() => browser.arrived).toHaveLength(1);
  await expect.poll(() => stateOf({ id })).toMatchObject({ has_ended: true });
  expect(outdated.attempts).toBe(0);
});

test('a session that ends takes its subscription with it, and one that expired is sent nothing', async () => {
  const { item, browser, browsers } = await createListener({ browsers: 3 });
  const [, ended, expired] = browsers;
  await database.query('delete from auth.sessions where id = $1', [ended?.session]);
  await database.query("update auth.sessions set not_after = now() - interval '1 minute' where id = $1", [
    expired?.session,
  ]);
  await sendMessage(database, item);
  await expect.poll(() => browser.arrived).toHaveLength(1);
  await expect.poll(() => (expired === undefined ? [] : waitingFor(expired))).toEqual([]);
  expect([ended?.attempts, expired?.attempts]).toEqual([0, 0]);
});

test('a browser receives a hundred pushes a day; those of conversations with a reply are counted separately', async () => {
  const { item, browser } = await createListener();
  for (let count = 0; count < 100; count += 1) await limits.take('message_notices_per_receiver', browser.id);
  await sendMessage(database, item, 'One too many');
  await expect.poll(() => waitingFor(browser)).toEqual([]);
  expect(browser.attempts).toBe(0);

  const key = 'a-finders-key-of-some-length-too';
  const send = (text: string) =>
    database.query('select public.send_message($1, $2, gen_random_uuid(), $3)', [item.qrId, text, key]);
  await send('Hello');
  await database.query(
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
       select conversation_id, item_id, owner_id, 'owner', 'Hello' from public.messages
         where item_id = $1 and body = 'Hello'`,
    [item.id],
  );
  await send('At the desk');
  await expect.poll(() => browser.arrived).toHaveLength(1);
});

test('a message that is rolled back has no push', async () => {
  const { item, browser } = await createListener();
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('select public.send_message($1, $2)', [item.qrId, 'Never mind']);
  await client.query('rollback');
  client.release();
  expect(await waitingFor(browser)).toEqual([]);
});

test('push services that never respond delay no email, and no push of another owner [K55]', async () => {
  const own = await createTestDatabase();
  const slow = await startPushService();
  const sender = slow.createSender();
  await work(own, { push: sender });
  const release = Promise.withResolvers<void>();
  const owners = await Promise.all(Array.from({ length: 2 }, () => createOwner(own)));
  const [attacker, other] = owners;
  if (attacker === undefined || other === undefined) throw new Error('Two owners were made.');
  const hanging = Array.from({ length: 10 }, () => slow.subscribe(sender.publicKey));
  let running = 0;
  let most = 0;
  for (const browser of hanging) {
    browser.respond = async (response) => {
      running += 1;
      most = Math.max(most, running);
      response.once('close', () => (running -= 1));
      await release.promise;
      response.writeHead(201).end();
    };
    await createPushSubscription(own, attacker, browser, sender.publicKey);
  }
  const [item, otherItem] = [await createItem(own, attacker), await createItem(own, other)];
  for (let count = 0; count < 5; count += 1) await sendMessage(own, item);
  await expect.poll(() => running).toBe(3);

  const browser = slow.subscribe(sender.publicKey);
  await createPushSubscription(own, other, browser, sender.publicKey);
  await sendMessage(own, otherItem);
  await caught.takeEmailTo(other.email);
  await expect.poll(() => browser.arrived).toHaveLength(1);
  release.resolve();
  expect(most).toBe(3);
});

test('push services that are slow for several owners delay no push of another one', async () => {
  const own = await createTestDatabase();
  const slow = await startPushService();
  const sender = slow.createSender();
  await work(own, { push: sender });
  const held: (() => void)[] = [];
  const items: Awaited<ReturnType<typeof createItem>>[] = [];
  for (let count = 0; count < 6; count += 1) {
    const owner = await createOwner(own);
    const browser = slow.subscribe(sender.publicKey);
    browser.respond = (response) => void held.push(() => response.writeHead(201).end());
    await createPushSubscription(own, owner, browser, sender.publicKey);
    items.push(await createItem(own, owner));
  }
  for (const item of items) await sendMessage(own, item);
  await expect.poll(() => held).toHaveLength(4);
  // Before those that are slow give way, after a second.
  await inSomeAttempt(async () => {
    const known = await createOwner(own);
    const browser = slow.subscribe(sender.publicKey);
    const { id } = await createPushSubscription(own, known, browser, sender.publicKey);
    await own.query('update public.push_subscriptions set delivered_at = now() where id = $1', [id]);
    await sendMessage(own, await createItem(own, known));
    await expect.poll(() => browser.arrived, { timeout: 900 }).toHaveLength(1);
  });
  // One that has received nothing yet takes the place of one that had its second.
  const fresh = await createOwner(own);
  const other = slow.subscribe(sender.publicKey);
  await createPushSubscription(own, fresh, other, sender.publicKey);
  await sendMessage(own, await createItem(own, fresh));
  await expect.poll(() => other.arrived).toHaveLength(1);
  // Each of those that were put off has its turn.
  await expect
    .poll(
      async () => {
        for (const respond of held.splice(0)) respond();
        return own.query("select from graphile_worker.jobs where task_identifier = 'send_push'");
      },
      { timeout: 20_000 },
    )
    .toEqual([]);
});

test('the log names no endpoint and no text', async () => {
  const { item, browser } = await createListener();
  browser.respond = (response) => void response.destroy();
  await sendMessage(database, item, 'A secret text');
  await expect.poll(() => logged.join('')).toContain('A push service gave no response');
  const lines = logged.join('');
  expect(lines).not.toContain(new URL(browser.endpoint).pathname);
  expect(lines).not.toContain('A secret text');
});
