import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { webhookSecretOf } from '#server/delivery/webhook/webhook-secret.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { NO_METRICS } from '#server/metrics/metrics.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { startNoticeReceiver, verifyWebhook } from '#tests/support/notice-receiver.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';
import { passTime } from './pass-time.ts';

const database = await createTestDatabase();
const receiver = await startNoticeReceiver();
const logged: string[] = [];
const caught = catchDelivery();
const counts: Readonly<Record<string, string>>[] = [];
const dependencies = await work(database);

async function work(on: TestDatabase, { outbound } = receiver) {
  const needs = dependenciesForJobs(on.address, caught, logged, {
    outbound,
    metrics: { ...NO_METRICS, counter: () => (labels) => void counts.push(labels) },
  });
  const jobs = await startJobs(needs);
  whenDone(async () => {
    await jobs.stop();
    await needs.database.close();
  });
  return needs;
}

/** What has failed so waits until a test lets the time pass, on the busiest machine too. */
const AN_HOUR = { 'Retry-After': '3600' };
let paths = 0;

/** An owner with an item and an address, whose requests come to a path of its own. */
async function createListener(
  { kind = 'webhook', token, showsText = false }: Partial<Parameters<typeof createNoticeAddress>[2]> = {},
  on = database,
  at = receiver,
) {
  const owner = await createOwner(on);
  const item = await createItem(on, owner, { itemName: 'Blue backpack' });
  paths += 1;
  const path = `/${kind}-${paths}`;
  const url = `${kind === 'webhook' ? at.https : at.http}${path}`;
  const id = await createNoticeAddress(on, owner, {
    kind,
    url,
    showsText,
    ...(token !== undefined && { token }),
  });
  return {
    owner,
    item,
    id,
    path,
    arrived: () => at.arrivedAt(path),
    secret: webhookSecretOf(dependencies, id),
    respond: (status: number, headers = {}) =>
      at.respondAt(path, (response) => void response.writeHead(status, headers).end()),
  };
}

type Listener = Awaited<ReturnType<typeof createListener>>;

async function stateOf({ id }: Listener, on = database) {
  const [state] = await on.query(
    `select failures, failing_since is not null as is_failing, ended_at is not null as has_ended,
       delivered_at is not null as was_delivered, last_status from public.notice_addresses where id = $1`,
    [id],
  );
  return state;
}

function waitingFor({ id }: Listener): Promise<unknown[]> {
  return database.query(`select key from graphile_worker.jobs where key like 'send_notice:' || $1 || ':%'`, [id]);
}

test('a webhook is notified of a message, signed, with identifiers and no text', async () => {
  const listener = await createListener();
  const other = await createListener();
  const messageId = await sendMessage(database, listener.item, 'Call me at +1 555 0100');
  await expect.poll(listener.arrived).toHaveLength(1);
  const [request] = listener.arrived();
  if (request === undefined) throw new Error('A request arrived.');
  const [message] = await database.query<{ conversation_id: string; sent: Date }>(
    'select conversation_id, created_at as sent from public.messages where id = $1',
    [messageId],
  );
  expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
  expect(request.headers['webhook-id']).toBe(`msg_${messageId}`);
  expect(verifyWebhook(request, listener.secret)).toEqual({
    type: 'message.received',
    timestamp: message?.sent.toISOString(),
    data: {
      message_id: messageId,
      conversation_id: message?.conversation_id,
      item_id: listener.item.id,
      kind: 'text',
      url: `https://lost.example.org/item/${listener.item.qrId}`,
    },
  });
  expect(() => verifyWebhook(request, other.secret)).toThrow('The signature is not valid.');
  expect(() => verifyWebhook({ ...request, body: `${request.body} ` }, listener.secret)).toThrow();
  expect(other.arrived()).toEqual([]);
  await expect.poll(() => stateOf(listener)).toMatchObject({ was_delivered: true, last_status: 200 });
  const delivered = 'select delivered_until is not null as yes from public.conversations where item_id = $1';
  expect(await database.query(delivered, [listener.item.id])).toEqual([{ yes: true }]);
});

test('a webhook whose owner chose texts gets them', async () => {
  const listener = await createListener({ showsText: true });
  await sendMessage(database, listener.item, 'At the desk');
  await expect.poll(listener.arrived).toHaveLength(1);
  expect(JSON.parse(listener.arrived()[0]?.body ?? '')).toMatchObject({
    data: { item_name: 'Blue backpack', text: 'At the desk' },
  });
});

test('a topic of ntfy gets a title, a link, a priority, tags, and the access token, and no text', async () => {
  const listener = await createListener({ kind: 'ntfy', token: 'tk_secret' });
  await sendMessage(database, listener.item, 'Call me at +1 555 0100');
  await expect.poll(listener.arrived).toHaveLength(1);
  expect(listener.arrived()[0]).toMatchObject({
    method: 'POST',
    headers: {
      title: 'New message on Reunite',
      click: `https://lost.example.org/item/${listener.item.qrId}`,
      priority: '4',
      tags: 'label',
      authorization: 'Bearer tk_secret',
    },
    body: 'Open Reunite to read and reply.',
  });
  await expect.poll(() => stateOf(listener)).toMatchObject({ was_delivered: true });
});

const tap = ({ item }: Listener, place: string | null) =>
  database.query("select public.send_message($1, '', kind_param => 'left_it', place_param => $2)", [item.qrId, place]);

test.each([
  {
    showsText: true,
    place: null,
    texts: { item_name: 'Blue backpack', text: '', place: null, moment: null, time_zone: null, desk: null },
  },
  {
    showsText: true,
    place: 'Gate 7',
    texts: { item_name: 'Blue backpack', text: '', place: 'Gate 7', moment: null, time_zone: null, desk: null },
  },
  { showsText: false, place: 'Gate 7', texts: {} },
])('a webhook gets the kind of a tap at $place (texts: $showsText)', async ({ showsText, place, texts }) => {
  const listener = await createListener({ showsText });
  await tap(listener, place);
  await expect.poll(listener.arrived).toHaveLength(1);
  expect(JSON.parse(listener.arrived()[0]?.body ?? '').data).toEqual({
    message_id: expect.any(String),
    conversation_id: expect.any(String),
    item_id: listener.item.id,
    kind: 'left_it',
    url: `https://lost.example.org/item/${listener.item.qrId}`,
    ...texts,
  });
});

test.each([
  { showsText: true, place: null, shown: 'I left it' },
  { showsText: true, place: 'Gate 7', shown: 'I left it at Gate 7' },
  { showsText: false, place: 'Gate 7', shown: 'Open Reunite to read and reply.' },
])(
  'of a tap at $place without words a topic of ntfy says “$shown” (texts: $showsText)',
  async ({ showsText, place, shown }) => {
    const listener = await createListener({ kind: 'ntfy', showsText });
    await tap(listener, place);
    await expect.poll(listener.arrived).toHaveLength(1);
    expect(listener.arrived()[0]?.body).toBe(shown);
  },
);

test('texts in headers of ntfy are encoded, so that none of them ends a header', async () => {
  const listener = await createListener({ kind: 'ntfy', showsText: true });
  await database.query('update public.items set item_name = $2 where id = $1', [listener.item.id, 'תיק 🎒']);
  await sendMessage(database, listener.item, 'First\nX-Injected: yes');
  await expect.poll(listener.arrived).toHaveLength(1);
  const [request] = listener.arrived();
  const [, encoded = ''] = /^=\?UTF-8\?B\?([A-Za-z0-9+/=]+)\?=$/.exec(String(request?.headers.title)) ?? [];
  expect(Buffer.from(encoded, 'base64').toString('utf8')).toContain('תיק 🎒');
  expect(request?.body).toBe('First\nX-Injected: yes');
  expect(request?.headers).not.toHaveProperty('x-injected');
  expect(request?.headers).not.toHaveProperty('authorization');
});

test.each([404, 410])('%i ends an address', async (status) => {
  const listener = await createListener();
  listener.respond(status);
  await sendMessage(database, listener.item);
  await expect.poll(() => stateOf(listener)).toMatchObject({ has_ended: true, last_status: status });
  await expect.poll(() => waitingFor(listener)).toEqual([]);
  await sendMessage(database, listener.item);
  expect(await waitingFor(listener)).toEqual([]);
  expect(listener.arrived()).toHaveLength(1);
});

test('after a failure the address waits with all its messages, and each arrives once, with the id of the first attempt', async () => {
  const listener = await createListener();
  listener.respond(503, AN_HOUR);
  await sendMessage(database, listener.item, 'One');
  await expect.poll(() => stateOf(listener)).toMatchObject({ failures: 1, last_status: 503 });
  await sendMessage(database, listener.item, 'Two');
  await expect.poll(() => waitingFor(listener)).toHaveLength(2);
  expect(listener.arrived()).toHaveLength(1);
  receiver.respondAt(listener.path, null);
  await passTime(database, 'notice', listener);
  await expect.poll(() => waitingFor(listener)).toEqual([]);
  const ids = listener.arrived().map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(2);
  await expect.poll(() => stateOf(listener)).toMatchObject({ failures: 0, is_failing: false });
});

test.each([
  ['an error', 500, {}],
  ['a refusal', 401, {}],
  ['a redirect to this machine', 307, { Location: 'https://127.0.0.1/' }],
] as const)('%s is a failure, and after a day of them the address has ended', async (_, status, headers) => {
  const listener = await createListener();
  listener.respond(status, { ...headers, ...AN_HOUR });
  await sendMessage(database, listener.item);
  await expect.poll(() => stateOf(listener)).toMatchObject({ failures: 1, has_ended: false, last_status: status });
  await expect.poll(() => waitingFor(listener)).toHaveLength(1);
  await passTime(database, 'notice', listener, '25 hours');
  await expect.poll(() => stateOf(listener)).toMatchObject({ has_ended: true });
  await expect.poll(() => waitingFor(listener)).toEqual([]);
  expect(listener.arrived()).toHaveLength(2);
});

test('an address whose last attempt comes after the message is too old has ended', async () => {
  const listener = await createListener();
  listener.respond(500, AN_HOUR);
  await sendMessage(database, listener.item);
  await expect.poll(() => stateOf(listener)).toMatchObject({ failures: 1 });
  await database.query("update public.messages set created_at = created_at - interval '28 hours' where item_id = $1", [
    listener.item.id,
  ]);
  await passTime(database, 'notice', listener, '28 hours');
  await expect.poll(() => stateOf(listener)).toMatchObject({ has_ended: true });
  expect(listener.arrived()).toHaveLength(1);
});

test('an address that failed long ago does not end at its next failure', async () => {
  const listener = await createListener();
  await database.query(
    `update public.notice_addresses set failures = 13, failing_since = now() - interval '90 days',
       retry_at = now() - interval '89 days' where id = $1`,
    [listener.id],
  );
  listener.respond(503, AN_HOUR);
  await sendMessage(database, listener.item);
  await expect.poll(() => stateOf(listener)).toMatchObject({ failures: 1, has_ended: false, last_status: 503 });
  receiver.respondAt(listener.path, null);
  await expect.poll(() => waitingFor(listener)).toHaveLength(1);
  await passTime(database, 'notice', listener);
  await expect.poll(() => stateOf(listener)).toMatchObject({ failures: 0, was_delivered: true });
});

test('what was accepted is not sent again because the database failed afterwards', async () => {
  const listener = await createListener({ kind: 'ntfy' });
  await database.query(`
    create function public.fail_once() returns trigger language plpgsql as $$
      begin raise exception 'The database fails' using errcode = '57P01'; end $$;
    create trigger fail_once before update of delivered_at on public.notice_addresses
      for each row when (old.id = '${listener.id}') execute function public.fail_once()`);
  await sendMessage(database, listener.item);
  const failed = `select from graphile_worker.jobs where key like 'send_notice:${listener.id}:%' and last_error is not null`;
  await expect.poll(() => database.query(failed)).toHaveLength(1);
  await database.query('drop function public.fail_once() cascade');
  await passTime(database, 'notice', listener);
  await expect.poll(() => waitingFor(listener)).toEqual([]);
  expect(listener.arrived()).toHaveLength(1);
  expect(await stateOf(listener)).toMatchObject({ was_delivered: true });
});

test('a receiver that never responds is given up', async () => {
  const own = await createTestDatabase();
  const impatient = await startNoticeReceiver({ timeoutMs: 200 });
  await work(own, impatient);
  const silent = await createListener({}, own, impatient);
  impatient.respondAt(silent.path, () => undefined);
  await sendMessage(own, silent.item);
  await expect.poll(() => stateOf(silent, own)).toMatchObject({ is_failing: true, last_status: null });
});

test('a receiver whose response never ends is given up', async () => {
  const endless = await createListener();
  const closed = Promise.withResolvers<void>();
  receiver.respondAt(endless.path, (response) => {
    response.once('close', () => closed.resolve());
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(8_192)));
    };
    response.on('drain', more);
    more();
  });
  await sendMessage(database, endless.item);
  await expect.poll(() => stateOf(endless)).toMatchObject({ was_delivered: true });
  await closed.promise;
});

test.each(['muted_at', 'blocked_at'])('no notice of a message that waits is sent when %s is set', async (column) => {
  const listener = await createListener();
  listener.respond(500, AN_HOUR);
  await sendMessage(database, listener.item);
  await expect.poll(() => stateOf(listener)).toMatchObject({ failures: 1 });
  await expect.poll(() => waitingFor(listener)).toHaveLength(1);
  await database.query(`update public.conversations set ${column} = now() where item_id = $1`, [listener.item.id]);
  receiver.respondAt(listener.path, null);
  await passTime(database, 'notice', listener);
  await expect.poll(() => waitingFor(listener)).toEqual([]);
  expect(listener.arrived()).toHaveLength(1);
});

test('in quiet hours a topic of ntfy waits, and a webhook does not', async () => {
  const [ntfy, webhook] = [await createListener({ kind: 'ntfy' }), await createListener()];
  for (const { owner, item } of [ntfy, webhook]) {
    await database.query(
      `insert into public.notice_settings (user_id, quiet_from, quiet_to, time_zone)
         select $1, (clock - interval '1 hour')::time, (clock + interval '3 hours')::time, 'UTC'
           from (select now() at time zone 'UTC' as clock) as utc`,
      [owner.id],
    );
    await sendMessage(database, item);
  }
  await expect.poll(webhook.arrived).toHaveLength(1);
  const later = `select from graphile_worker.jobs where key like 'send_notice:' || $1 || ':%' and run_at > now() + interval '2 hours'`;
  await expect.poll(() => database.query(later, [ntfy.id])).toHaveLength(1);
  expect(ntfy.arrived()).toEqual([]);
});

test('an address gets a hundred messages a day', async () => {
  const listener = await createListener();
  for (let count = 0; count < 100; count += 1)
    await dependencies.limits.take('message_notices_per_receiver', listener.id);
  await sendMessage(database, listener.item);
  await expect.poll(() => waitingFor(listener)).toEqual([]);
  expect(listener.arrived()).toEqual([]);
});

test('beyond five hundred requests a day to one host an owner’s next one waits for an hour [K55]', async () => {
  const own = await createTestDatabase();
  const needs = await work(own);
  for (let count = 0; count < 500; count += 1) await needs.limits.take('requests_per_host', 'example.com');
  const [listener, other] = [await createListener({}, own), await createListener({}, own)];
  await sendMessage(own, listener.item, 'One');
  await expect.poll(listener.arrived).toHaveLength(1);
  await sendMessage(own, listener.item, 'Two');
  const later = `select from graphile_worker.jobs where key like 'send_notice:' || $1 || ':%' and run_at > now() + interval '50 minutes'`;
  await expect.poll(() => own.query(later, [listener.id])).toHaveLength(1);
  await sendMessage(own, other.item);
  await expect.poll(other.arrived).toHaveLength(1);
  expect(listener.arrived()).toHaveLength(1);
});

test('a message that is rolled back has no notice', async () => {
  const listener = await createListener();
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('select public.send_message($1, $2)', [listener.item.qrId, 'Never mind']);
  await client.query('rollback');
  client.release();
  expect(await waitingFor(listener)).toEqual([]);
});

test('failures at random lose no message, and repeat none that was accepted', async () => {
  const listener = await createListener();
  const accepted: string[] = [];
  let turn = 7;
  receiver.respondAt(listener.path, (response) => {
    // A linear congruential generator, so that a failure can be repeated.
    turn = (turn * 1_103_515_245 + 12_345) % 2_147_483_648;
    const kind = turn % 3;
    if (kind === 0) return void response.destroy();
    if (kind === 1) return void response.writeHead(500).end();
    accepted.push(String(listener.arrived().at(-1)?.headers['webhook-id']));
    response.writeHead(204).end();
  });
  const expected: string[] = [];
  for (let count = 0; count < 12; count += 1)
    expected.push(`msg_${await sendMessage(database, listener.item, `No. ${count}`)}`);
  await expect
    .poll(
      async () => {
        await passTime(database, 'notice', listener);
        return waitingFor(listener);
      },
      { timeout: 60_000, interval: 100 },
    )
    .toEqual([]);
  expect(accepted.toSorted()).toEqual(expected.toSorted());
});

test('what was accepted before a kill is not sent again by the server that comes after it', async () => {
  const own = await createTestDatabase();
  const owner = await createOwner(own);
  const item = await createItem(own, owner);
  const id = await createNoticeAddress(own, owner, { kind: 'ntfy', url: 'http://127.0.0.1:1/topic' });
  await sendMessage(own, item);
  const doomed = spawn(
    process.execPath,
    [fileURLToPath(new URL('./die-after-notice.ts', import.meta.url)), JSON.stringify({ address: own.address })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  whenDone(() => void doomed.kill('SIGKILL'));
  await once(doomed.stdout, 'data');
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  const state = 'select delivered_at is not null as yes from public.notice_addresses where id = $1';
  expect(await own.query(state, [id])).toEqual([{ yes: false }]);

  const outbound = { ...receiver.outbound, post: () => expect.unreachable('it was told again') };
  const next = dependenciesForJobs(own.address, catchDelivery(), [], { outbound });
  const jobs = await startJobs(next, { graceMs: 0, lookEveryMs: 100 });
  await expect.poll(() => own.query(state, [id])).toEqual([{ yes: true }]);
  await jobs.stop();
  await next.database.close();
});

test('the log names no address, no token, and no text', async () => {
  const listener = await createListener({ kind: 'ntfy', token: 'tk_never_logged' });
  receiver.respondAt(listener.path, (response) => void response.destroy());
  await sendMessage(database, listener.item, 'A secret text');
  await expect.poll(async () => (await stateOf(listener))?.failures ?? 0).toBeGreaterThan(0);
  const lines = logged.join('');
  expect(lines).toContain('A notice address gave no response');
  for (const secret of [listener.path, 'tk_never_logged', 'A secret text', 'ntfy.lan'])
    expect(lines).not.toContain(secret);
  // It would be tried again during the next test.
  await database.query('delete from public.notice_addresses where id = $1', [listener.id]);
});

test('notices are counted by way and outcome, and by nothing that a user gave', async () => {
  const webhook = await createListener();
  const ntfy = await createListener({ kind: 'ntfy' });
  webhook.respond(410);
  counts.length = 0;
  await sendMessage(database, webhook.item);
  await expect.poll(() => counts).toEqual([{ way: 'webhook', outcome: 'ended' }]);
  await sendMessage(database, ntfy.item);
  await expect.poll(() => counts.slice(1)).toEqual([{ way: 'ntfy', outcome: 'accepted' }]);
});
