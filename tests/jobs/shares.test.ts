import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createPushSubscription } from '#tests/support/factories/create-push-subscription.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { startNoticeReceiver } from '#tests/support/notice-receiver.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const pushService = await startPushService();
const push = pushService.createSender();
const receiver = await startNoticeReceiver();
const caught = catchDelivery();
const never = new Promise<never>(() => undefined);

/** A server on a database of the test's own. It is never stopped: what hangs would hold it up. */
async function work(delivery = caught, blobs = {}) {
  const database = await createTestDatabase();
  const needs = dependenciesForJobs(database.address, delivery, [], { outbound: receiver.outbound, push });
  Object.assign(needs.files.blobs, blobs);
  Object.assign(needs.config.storage, { keepRemovedHours: 0 });
  void startJobs(needs);
  whenDone(() => needs.database.close());
  return database;
}

let paths = 0;

/** An owner with an item and a webhook. */
async function createListener(database: TestDatabase, { isKnown = false } = {}) {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  paths += 1;
  const path = `/shares-${paths}`;
  const id = await createNoticeAddress(database, owner, { kind: 'webhook', url: `${receiver.https}${path}` });
  if (isKnown) await database.query('update public.notice_addresses set delivered_at = now() where id = $1', [id]);
  return { owner, item, path, arrived: () => receiver.arrivedAt(path) };
}

test('a mail server that hangs delays no push and no webhook [K55]', async () => {
  let hanging = 0;
  const database = await work({
    ...caught,
    sendEmail: () => {
      hanging += 1;
      return never;
    },
  });
  for (let count = 0; count < 12; count += 1) {
    await sendMessage(database, await createItem(database, await createOwner(database)));
  }
  await expect.poll(() => hanging).toBeGreaterThan(2);
  const { owner, item, arrived } = await createListener(database);
  const browser = pushService.subscribe(push.publicKey);
  await createPushSubscription(database, owner, browser, push.publicKey);
  await sendMessage(database, item);
  await expect.poll(() => [browser.arrived.length, arrived().length]).toEqual([1, 1]);
});

test('an object store that hangs delays no email, and no purge [K55]', async () => {
  let hanging = 0;
  const database = await work(caught, {
    remove: () => {
      hanging += 1;
      return never;
    },
  });
  for (let count = 0; count < 12; count += 1) {
    await database.query(
      "select graphile_worker.add_job('remove_files', json_build_object('files', array[gen_random_uuid()]))",
    );
  }
  await expect.poll(() => hanging).toBe(2);
  await database.query("select graphile_worker.add_job('purge_expired')");
  const owner = await createOwner(database);
  await sendMessage(database, await createItem(database, owner));
  await caught.takeEmailTo(owner.email);
  const purges = "select from graphile_worker.jobs where task_identifier = 'purge_expired' and run_at <= now()";
  await expect.poll(() => database.query(purges)).toEqual([]);
});

test('webhooks of many owners that never respond hold up no known one, and a new one for some seconds [K55]', async () => {
  const database = await work();
  const slow = await Promise.all(Array.from({ length: 32 }, () => createListener(database)));
  for (const { path } of slow) receiver.respondAt(path, () => undefined);
  for (const { item } of slow) await sendMessage(database, item);
  const tried = () => slow.filter(({ arrived }) => arrived().length > 0).length;
  await expect.poll(tried).toBeGreaterThanOrEqual(4);
  const known = await createListener(database, { isKnown: true });
  await sendMessage(database, known.item);
  await expect.poll(known.arrived).toHaveLength(1);
  expect(tried()).toBeLessThan(32);
  const fresh = await createListener(database);
  await sendMessage(database, fresh.item);
  // Eight seconds would do for all of them; the queue looks for those that were put off every two.
  await expect.poll(fresh.arrived, { timeout: 20_000 }).toHaveLength(1);
});

test('known webhooks that all stop responding hold up another one for seconds, not for a minute [K55]', async () => {
  const database = await work();
  const slow = await Promise.all(Array.from({ length: 24 }, () => createListener(database, { isKnown: true })));
  for (const { path } of slow) receiver.respondAt(path, () => undefined);
  for (const { item } of slow) await sendMessage(database, item);
  await expect.poll(() => slow.filter(({ arrived }) => arrived().length > 0).length).toBeGreaterThanOrEqual(8);
  const known = await createListener(database, { isKnown: true });
  await sendMessage(database, known.item);
  await expect.poll(known.arrived, { timeout: 12_000 }).toHaveLength(1);
});

test('an owner’s screen shows the same of a closed port and of one that never responds [K55]', async () => {
  const database = await work();
  const silent = await createListener(database);
  receiver.respondAt(silent.path, () => undefined);
  const closed = await createListener(database);
  receiver.respondAt(closed.path, (response) => void response.destroy());
  const seen = await Promise.all([watch(database, silent), watch(database, closed)]);
  for (const states of seen) {
    expect(states).toHaveLength(2);
    // The attempt was stored when it began, in whole seconds.
    expect(states[1]).toMatchObject({ isWhole: true, lastStatus: null, hasEnded: false });
    expect(states[1]?.after).toBeLessThan(4_500);
  }
});

/** What the owner reads of their address in the six seconds after a message: each state, and when it came. */
async function watch(database: TestDatabase, { owner, item }: Awaited<ReturnType<typeof createListener>>) {
  const states: { state: string; after: number; isWhole: boolean; lastStatus: number | null; hasEnded: boolean }[] = [];
  await sendMessage(database, item);
  const begun = performance.now();
  while (performance.now() - begun < 6_000) {
    const [row] = await database.query<{
      state: string;
      is_whole: boolean;
      last_status: number | null;
      ended_at: Date | null;
    }>(
      `select concat_ws(' ', attempted_at, last_status, failing_since, ended_at) as state, last_status, ended_at,
         attempted_at = date_trunc('second', attempted_at) and failing_since = attempted_at as is_whole
       from public.notice_addresses where user_id = $1`,
      [owner.id],
    );
    if (row !== undefined && row.state !== states.at(-1)?.state) {
      states.push({
        state: row.state,
        after: performance.now() - begun,
        isWhole: row.is_whole,
        lastStatus: row.last_status,
        hasEnded: row.ended_at !== null,
      });
    }
    await pause(20);
  }
  return states;
}

test('a receiver that closes the connection is tried again as late as one that never responds [K55]', async () => {
  const database = await work();
  const closed = await createListener(database);
  receiver.respondAt(closed.path, (response) => void response.destroy());
  await sendMessage(database, closed.item);
  const wait = `select extract(epoch from retry_at - attempted_at)::float as seconds from public.notice_addresses
    where user_id = $1 and failures = 1`;
  await expect.poll(() => database.query(wait, [closed.owner.id])).toHaveLength(1);
  const [row] = await database.query<{ seconds: number }>(wait, [closed.owner.id]);
  // Five for the response, and three more.
  expect(row?.seconds).toBeGreaterThanOrEqual(8);
});
