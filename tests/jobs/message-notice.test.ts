import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { type JobOptions, type Jobs, startJobs } from '#server/jobs/start-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { JOBS_AT_HAND } from '#tests/support/jobs-at-hand.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function workWith(
  delivery: Parameters<typeof dependenciesForJobs>[1],
  options?: JobOptions,
  logged?: string[],
): Promise<Jobs> {
  const dependencies = dependenciesForJobs(database.address, delivery, logged);
  const jobs = await startJobs(dependencies, options);
  stops.push(async () => {
    await jobs.stop();
    await dependencies.database.close();
  });
  return jobs;
}

async function jobsLeft(): Promise<number> {
  const [row] = await database.query<{ count: number }>(`select count(*)::int as count ${JOBS_AT_HAND}`);
  return row?.count ?? -1;
}

async function heartbeats(): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  );
  return row?.count ?? -1;
}

test('a message reaches its owner as one email without the contact details of either side', async () => {
  const caught = catchDelivery();
  await workWith(caught);
  const owner = await createOwner(database, { fullName: 'Dana Levi' });
  const item = await createItem(database, owner, { itemName: 'Red <b>keys</b>' });

  const id = await sendMessage(database, item, 'At the <desk>\nSee you');

  const mail = await caught.takeEmailTo(owner.email);
  expect(mail).toMatchObject({ subject: 'Someone found “Red <b>keys</b>”', key: `message:${id}` });
  expect(mail.text).toContain('> At the <desk>\n> See you\n');
  expect(mail.text).toContain(`https://lost.example.org/item/${item.qrId}`);
  expect(mail.html).toContain('At the &lt;desk&gt;<br>See you');
  for (const part of [mail.subject, mail.text, mail.html ?? '']) {
    for (const secret of [owner.phone, owner.email, /\bLevi\b/, owner.id]) expect(part).not.toMatch(secret);
  }
});

test('two servers on one queue send each notice once', async () => {
  const [one, other] = [catchDelivery(), catchDelivery()];
  await workWith(one);
  await workWith(other);
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, index) => sendMessage(database, item, `Message ${index}`)),
  );

  await expect.poll(jobsLeft).toBe(0);
  const keys = [...one.emails, ...other.emails].map(({ key }) => key).sort();
  expect(keys).toEqual(sent.map((id) => `message:${id}`).sort());
});

test('a message sent again under the same id is announced once', async () => {
  const caught = catchDelivery();
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const id = await sendMessage(database, item, 'Again');
  await database.query('select public.send_message($1, $2, $3)', [item.qrId, 'Again', id]);
  await workWith(caught);
  await caught.takeEmailTo(owner.email);
  await expect.poll(jobsLeft).toBe(0);
  expect(caught.emails).toHaveLength(1);
});

test('a message that is rolled back has no notice', async () => {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('select public.send_message($1, $2)', [item.qrId, 'Never mind']);
  expect((await client.query(`select ${JOBS_AT_HAND}`)).rowCount).toBe(1);
  await client.query('rollback');
  client.release();
  expect(await jobsLeft()).toBe(0);
});

test('an email that is refused is tried again, and neither log nor queue keep its address or text [I58]', async () => {
  const caught = catchDelivery();
  const logged: string[] = [];
  let refusals = 0;
  await workWith(
    {
      ...caught,
      sendEmail: async (email) => {
        if (refusals > 0) return caught.sendEmail(email);
        refusals += 1;
        throw new Error(`550 no such mailbox: ${email.to} ${email.text}`);
      },
    },
    {},
    logged,
  );
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  await sendMessage(database, item, 'A secret text');

  await caught.takeEmailTo(owner.email);
  expect(refusals).toBe(1);
  const all = logged.join('');
  expect(all).toContain('The email could not be handed to the mail server.');
  expect(all).not.toContain(owner.email);
  expect(all).not.toContain('A secret text');
});

test('a deleted message sends no email', async () => {
  const caught = catchDelivery();
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  await sendMessage(database, item);
  await database.query('delete from public.items where id = $1', [item.id]);
  await workWith(caught);
  await expect.poll(jobsLeft).toBe(0);
  expect(caught.emails).toEqual([]);
});

test.each(['muted_at', 'blocked_at'])('a message that waits to be mailed is not when %s is set', async (column) => {
  const caught = catchDelivery();
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  await sendMessage(database, item);
  await database.query(`update public.conversations set ${column} = now() where item_id = $1`, [item.id]);
  await workWith(caught);
  await expect.poll(jobsLeft).toBe(0);
  expect(caught.emails).toEqual([]);
});

const SETTLED = {
  seen: 'update public.messages set read_at = now() where item_id = $1',
  'replied to': `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
    select id, item_id, owner_id, 'owner', 'Thank you' from public.conversations where item_id = $1`,
  returned: 'update public.conversations set returned_at = now() where item_id = $1',
};

test.each(Object.entries(SETTLED))(
  'a message that is %s while the mail server is unavailable is not mailed later',
  async (_, settle) => {
    const caught = catchDelivery();
    const owner = await createOwner(database);
    const item = await createItem(database, owner);
    await sendMessage(database, item);
    caught.down = true;
    await workWith(caught);
    const failed =
      "select id from graphile_worker.jobs where task_identifier = 'notify_owner_of_message' and attempts > 0";
    await expect.poll(() => database.query(`${failed} and locked_at is null`)).toHaveLength(1);
    await database.query(settle, [item.id]);
    caught.down = false;
    for (const job of await database.query<{ id: string }>(failed)) await runNow(job);
    await expect.poll(jobsLeft).toBe(0);
    expect(caught.emails).toEqual([]);
    expect(await isDelivered(item)).toBe(true);
  },
);

test('a digest leaves out messages that were replied to, and those of returned conversations', async () => {
  const caught = catchDelivery();
  await workWith(caught);
  const owner = await createOwner(database);
  const item = await createItem(database, owner, { itemName: 'Spare lens' });
  for (const text of ['One', 'Two', 'Three', 'Four']) await sendMessage(database, item, text);
  await expect.poll(jobsLeft).toBe(0);
  const conversationOf = (body: string) => `(select conversation_id from public.messages
    where item_id = $1 and sender = 'finder' and body = '${body}')`;
  await database.query(`${SETTLED['replied to']} and id = ${conversationOf('One')}`, [item.id]);
  await database.query(`${SETTLED.returned} and id = ${conversationOf('Two')}`, [item.id]);
  const digest = `select graphile_worker.add_job('send_message_digest',
    json_build_object('item_id', $1::text, 'day', (now() at time zone 'UTC')::date))`;
  await database.query(digest, [item.id]);
  await expect.poll(jobsLeft).toBe(0);
  expect(caught.emails.at(-1)).toMatchObject({ to: owner.email, subject: '2 unread messages about “Spare lens”' });

  const before = caught.emails.length;
  await database.query(SETTLED.returned, [item.id]);
  await database.query(digest, [item.id]);
  await expect.poll(jobsLeft).toBe(0);
  expect(caught.emails).toHaveLength(before);
});

test('an email that is refused is tried again until a day has passed, and no longer', async () => {
  const caught = catchDelivery();
  caught.down = true;
  const owner = await createOwner(database);
  await sendMessage(database, await createItem(database, owner));
  const jobs = () =>
    database.query<{ id: string; attempts: number; most: number; minutes: number }>(
      `select id, attempts, max_attempts as most, round(extract(epoch from run_at - now()) / 60)::integer as minutes
         from graphile_worker.jobs where key like 'notify_owner_of_message:%' and locked_at is null`,
    );
  await expect.poll(jobs).toMatchObject([{ attempts: 0 }]);
  // Twelve waits of e, e², … seconds, and two of six hours, are 22 hours.
  await database.query(
    "update graphile_worker._private_jobs set attempts = 12 where key like 'notify_owner_of_message:%'",
  );
  await workWith(caught);
  await expect.poll(jobs).toMatchObject([{ attempts: 0, most: 1, minutes: expect.closeTo(120, -1) }]);
  const [last] = await jobs();
  await runNow(last);
  await expect.poll(jobs).toMatchObject([{ attempts: 1, most: 1 }]);
  expect(caught.emails).toEqual([]);
  // The queue keeps what has failed, so that the operator sees it.
  await database.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
});

/** Mutes the only conversation of an item, whose finder writes again. */
async function writeMuted(item: TestItem): Promise<void> {
  await database.query('update public.conversations set muted_at = now(), delivered_until = null where item_id = $1', [
    item.id,
  ]);
  await database.query(
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
       select id, item_id, owner_id, 'finder', 'In silence' from public.conversations where item_id = $1`,
    [item.id],
  );
}

function waitingDigests(): Promise<{ readonly id: string; readonly at: Date }[]> {
  return database.query(
    "select id, run_at as at from graphile_worker.jobs where task_identifier = 'send_message_digest'",
  );
}

async function runNow(job: { readonly id: string } | undefined): Promise<void> {
  await database.query('select graphile_worker.reschedule_jobs(array[$1::bigint], run_at := now())', [job?.id]);
}

async function isDelivered(item: TestItem): Promise<boolean> {
  const text = 'select from public.conversations where item_id = $1 and delivered_until is null';
  return (await database.query(text, [item.id])).length === 0;
}

test.each([
  { who: 'with an address', email: true, reaches: true },
  { who: 'whom no notice reaches', email: false, reaches: false },
])(
  'a message of a muted conversation is delivered to an owner $who as any other would be',
  async ({ email, reaches }) => {
    const caught = catchDelivery();
    await workWith(caught);
    const owner = await createOwner(database);
    if (!email) {
      await database.query('update auth.users set email = null, email_confirmed_at = null where id = $1', [owner.id]);
    }
    const item = await createItem(database, owner);
    await sendMessage(database, item);
    await expect.poll(jobsLeft).toBe(0);
    const before = caught.emails.length;
    await writeMuted(item);
    await expect.poll(jobsLeft).toBe(0);
    expect(await isDelivered(item)).toBe(reaches);
    expect(caught.emails).toHaveLength(before);
  },
);

test('beyond twenty messages a day one of a muted conversation is delivered with the digest', async () => {
  const caught = catchDelivery();
  await workWith(caught);
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  await sendMessage(database, item);
  await database.query(
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body, read_at)
       select id, item_id, owner_id, 'finder', 'I found it', now()
         from public.conversations cross join generate_series(1, 19) where item_id = $1`,
    [item.id],
  );
  await expect.poll(jobsLeft).toBe(0);
  await database.query('update public.messages set read_at = now() where item_id = $1', [item.id]);
  const before = caught.emails.length;
  await writeMuted(item);
  await expect.poll(waitingDigests).toHaveLength(1);
  expect(await isDelivered(item)).toBe(false);
  const [digest] = await waitingDigests();
  await runNow(digest);
  await expect.poll(jobsLeft).toBe(0);
  expect(await isDelivered(item)).toBe(true);
  expect(caught.emails).toHaveLength(before);
});

test('for an owner whom only a phone reaches, a muted message is delivered when quiet hours end', async () => {
  await workWith(catchDelivery());
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  await sendMessage(database, item);
  await expect.poll(jobsLeft).toBe(0);
  await database.query('update auth.users set email = null, email_confirmed_at = null where id = $1', [owner.id]);
  await createNoticeAddress(database, owner, { kind: 'ntfy', url: 'https://ntfy.example.org/quiet' });
  await database.query(
    `insert into public.notice_settings (user_id, quiet_from, quiet_to, time_zone)
       select $1, (clock - interval '1 hour')::time, (clock + interval '3 hours')::time, 'UTC'
         from (select now() at time zone 'UTC' as clock) as utc`,
    [owner.id],
  );
  await writeMuted(item);
  const waiting = () =>
    database.query<{ id: string }>(
      "select id from graphile_worker.jobs where task_identifier = 'notify_owner_of_message' and run_at > now() + interval '2 hours'",
    );
  await expect.poll(waiting).toHaveLength(1);
  expect(await isDelivered(item)).toBe(false);
  await database.query('delete from public.notice_settings where user_id = $1', [owner.id]);
  const [job] = await waiting();
  await runNow(job);
  await expect.poll(() => isDelivered(item)).toBe(true);
});

test('a notice whose server was killed before it was sent is sent by the next one [I58]', async () => {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const doomed = spawn(
    process.execPath,
    [fileURLToPath(new URL('./stall-in-a-job.ts', import.meta.url)), JSON.stringify(database.address)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const id = await sendMessage(database, item, 'Still here?');
  await once(doomed.stdout, 'data');
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  expect(await jobsLeft()).toBe(1);

  const caught = catchDelivery();
  await workWith(caught, { graceMs: 0, lookEveryMs: 100 });
  expect((await caught.takeEmailTo(owner.email)).key).toBe(`message:${id}`);
  await expect.poll(jobsLeft).toBe(0);
});

// More than once: what it guards against is a race.
test.each(Array.from({ length: 20 }, (_, round) => round))(
  'stopping waits for the email that is being sent (%i)',
  async () => {
    const caught = catchDelivery();
    let release: () => void = () => undefined;
    let begun: () => void = () => undefined;
    const sending = new Promise<void>((done) => {
      begun = done;
    });
    const jobs = await workWith({
      ...caught,
      sendEmail: async (email) => {
        begun();
        await new Promise<void>((done) => {
          release = done;
        });
        await caught.sendEmail(email);
      },
    });
    const owner = await createOwner(database);
    await sendMessage(database, await createItem(database, owner));
    await sending;
    const stopped = jobs.stop();
    release();
    await stopped;
    expect(caught.emails).toHaveLength(1);
    expect(await jobsLeft()).toBe(0);
  },
);

test('the queue goes on after every connection was lost', async () => {
  const caught = catchDelivery();
  await workWith(caught, { graceMs: 0, lookEveryMs: 100 });
  const before = await heartbeats();
  expect(before).toBeGreaterThan(0);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'reunite'`,
  );
  const owner = await createOwner(database);
  const id = await sendMessage(database, await createItem(database, owner));
  expect((await caught.takeEmailTo(owner.email)).key).toBe(`message:${id}`);
  await expect.poll(heartbeats).toBe(before);
});

test('a job that PostgreSQL gave to a server in a response that was lost is run by the same server', async () => {
  const caught = catchDelivery();
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await workWith(
    {
      ...caught,
      sendEmail: async (email) => {
        begun.resolve();
        await released.promise;
        await caught.sendEmail(email);
      },
    },
    { graceMs: 0, lookEveryMs: 100 },
  );
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const first = await sendMessage(database, item, 'One');
  await begun.promise;
  // The next job is taken in the transaction that adds it, under the name of the worker that has the first one.
  await database.query(`
    create function public.give_away() returns trigger language plpgsql security definer as $$
      begin
        select locked_by, now() into new.locked_by, new.locked_at
          from graphile_worker._private_jobs where locked_by is not null limit 1;
        return new;
      end $$;
    create trigger give_away before insert on graphile_worker._private_jobs
      for each row execute function public.give_away()`);
  const lost = await sendMessage(database, item, 'Two');
  await database.query('drop function public.give_away cascade');
  expect(await database.query(`select ${JOBS_AT_HAND} and locked_by is null`)).toEqual([]);

  released.resolve();
  const keys = [await caught.takeEmailTo(owner.email), await caught.takeEmailTo(owner.email)].map(({ key }) => key);
  expect(keys).toEqual([`message:${first}`, `message:${lost}`]);
  await expect.poll(jobsLeft).toBe(0);
});

test('the queue goes on after several jobs could not be marked as done', async () => {
  const caught = catchDelivery();
  const held: PromiseWithResolvers<void>[] = [];
  await workWith(
    {
      ...caught,
      sendEmail: async (email) => {
        const holding = Promise.withResolvers<void>();
        if (held.push(holding) <= 3) await holding.promise;
        await caught.sendEmail(email);
      },
    },
    { graceMs: 0, lookEveryMs: 100, endWithinMs: 500 },
  );
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  for (const text of ['One', 'Two', 'Three']) await sendMessage(database, item, text);
  await expect.poll(() => held.length).toBe(3);
  await database.query(`
    create sequence public.refused;
    create function public.refuse() returns trigger language plpgsql security definer as $$
      begin
        perform nextval('public.refused');
        raise exception 'not now';
      end $$;
    create trigger refuse before delete on graphile_worker._private_jobs
      for each row execute function public.refuse()`);
  const [one, two, three] = held;
  const refusals = async () =>
    (await database.query('select last_value::int as count, is_called from public.refused'))[0];
  one?.resolve();
  await expect.poll(refusals).toEqual({ count: 1, is_called: true });
  two?.resolve();
  await expect.poll(refusals).toEqual({ count: 2, is_called: true });
  await database.query('drop function public.refuse cascade; drop sequence public.refused');
  // Until then the library waits for its last job. It is tried again.
  three?.reject(new Error('The mail server is away.'));

  await expect.poll(jobsLeft).toBe(0);
  const id = await sendMessage(database, item, 'Four');
  await expect.poll(() => caught.emails.map(({ key }) => key)).toContain(`message:${id}`);
});

test('of a flood of messages an owner gets twenty emails, and one digest at the end of the day [K4]', async () => {
  const caught = catchDelivery();
  await workWith(caught);
  const owner = await createOwner(database);
  const [item, quiet] = [await createItem(database, owner, { itemName: 'Lens' }), await createItem(database, owner)];
  for (let index = 0; index < 25; index += 1) await sendMessage(database, item, `Message ${index}`);
  const other = await sendMessage(database, quiet, 'I have the other one');
  await expect.poll(jobsLeft).toBe(1);
  const keys = caught.emails.map(({ key }) => key);
  expect(keys).toHaveLength(21);
  const undelivered = () =>
    database.query('select from public.conversations where item_id = $1 and delivered_until is null', [item.id]);
  expect(await undelivered()).toHaveLength(5);
  // Another item of the same owner is still notified.
  expect(keys).toContain(`message:${other}`);
  const [digest] = await waitingDigests();
  const day = new Date().toISOString().slice(0, 10);
  expect(digest?.at).toEqual(new Date(Date.parse(day) + 86_400_000));

  await runNow(digest);
  await expect.poll(jobsLeft).toBe(0);
  expect(caught.emails).toHaveLength(22);
  expect(caught.emails.at(-1)).toMatchObject({
    to: owner.email,
    subject: '25 unread messages about “Lens”',
    key: `messages:${item.id}:${day}`,
  });
  expect(caught.emails.at(-1)?.text).not.toContain('Message 2');
  expect(await undelivered()).toEqual([]);
});

test('an owner with floods of messages about many items gets a hundred emails a day, and those of a replied conversation beside them [K23]', async () => {
  const caught = catchDelivery();
  const owner = await createOwner(database);
  const items = [];
  for (let count = 0; count < 6; count += 1) {
    const item = await createItem(database, owner);
    items.push(item);
    for (let index = 0; index < 20; index += 1) await sendMessage(database, item, `Message ${index}`);
  }
  const [first] = items;
  const [{ conversation = '' } = {}] = await database.query<{ conversation: string }>(
    'select conversation_id as conversation from public.messages where item_id = $1 order by created_at limit 1',
    [first?.id],
  );
  await workWith(caught);
  await expect.poll(() => caught.emails.length).toBe(100);
  // One digest for each item with omitted emails.
  await expect.poll(jobsLeft).toBeLessThanOrEqual(6);
  expect(await jobsLeft()).toBeGreaterThan(0);
  expect(caught.emails).toHaveLength(100);

  for (const sender of ['owner', 'finder']) {
    await database.query(
      `insert into public.messages (conversation_id, item_id, owner_id, sender, body) values ($1, $2, $3, $4, 'More')`,
      [conversation, first?.id, owner.id, sender],
    );
  }
  await expect.poll(() => caught.emails.length).toBe(101);
  expect(caught.emails.at(-1)?.subject).toMatch(/^New message about /);
  // Removes the digests scheduled for tomorrow, so that later tests do not send them. A job that still runs is not removed,
  // and may schedule another.
  await expect
    .poll(async () => {
      await database.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
      return jobsLeft();
    })
    .toBe(0);
});

test('an owner who has read all messages gets no digest', async () => {
  const caught = catchDelivery();
  await workWith(caught);
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const id = await sendMessage(database, item, 'Found');
  await caught.takeEmailTo(owner.email);
  await database.query('update public.messages set read_at = now() where item_id = $1', [item.id]);
  await database.query(
    "select graphile_worker.add_job('send_message_digest', json_build_object('item_id', $1::text, 'day', current_date))",
    [item.id],
  );
  await expect.poll(jobsLeft).toBe(0);
  expect(caught.emails.map(({ key }) => key)).toEqual([`message:${id}`]);
});

test('a queue that is stopped while it restarts leaves nothing behind', async () => {
  // Its first query fails, so the runner is restarted; that waits for the table it reads first.
  await database.query('alter table graphile_worker._private_tasks rename to hidden_tasks');
  const jobs = await workWith(catchDelivery());
  const holder = await database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table graphile_worker.migrations in access exclusive mode');
    await expect
      .poll(() =>
        database.query("select from pg_locks where relation = 'graphile_worker.migrations'::regclass and not granted"),
      )
      .not.toEqual([]);
  } finally {
    await database.query('alter table graphile_worker.hidden_tasks rename to _private_tasks');
    const stopped = jobs.stop();
    await holder.query('commit');
    holder.release();
    await stopped;
  }
  // What is closed, PostgreSQL notices a moment later.
  await expect.poll(heartbeats).toBe(0);
  await expect
    .poll(() =>
      database.query("select from pg_stat_activity where datname = current_database() and query ilike 'listen%'"),
    )
    .toEqual([]);
});

test('an email about an item at a desk says when it is open, and its number, unless it was removed, and not the return code, which opens the conversation', async () => {
  const caught = catchDelivery();
  await workWith(caught);
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const [desk] = await database.query<{ id: string }>(
    `insert into public.desks (name, place, phone, time_zone, week, position) values ('Station', 'Hall 2', '+49 30 1234567', 'UTC',
      '[[["09:00", "18:00"]], [["09:00", "18:00"]], [], [], [], [], []]', 1) returning id`,
  );
  await database.query("select public.send_message($1, '', null, repeat('k', 32), 'handed_in', desk_param => $2)", [
    item.qrId,
    desk?.id,
  ]);
  const { text, html } = await caught.takeEmailTo(owner.email);
  expect(text).toContain('> I handed it in at a lost and found: Station, Hall 2\n');
  expect(text.replace(/[\u2009\u202f]/g, ' ')).toContain(
    'Mon – Tue: 9:00 AM – 6:00 PM\n\nWed – Sun: Closed\n\n\u2068+49 30 1234567\u2069\n\nRead and reply',
  );
  expect(html).toContain('+49 30 1234567');
  expect(`${text} ${html}`).not.toMatch(/return code/i);

  // Of one that was removed meanwhile, the message has the name and the place.
  const other = await createItem(database, owner);
  await database.query('update public.desks set removed_at = now() where id = $1', [desk?.id]);
  await database.query("select public.send_message($1, '', null, repeat('l', 32), 'handed_in', desk_param => $2)", [
    other.qrId,
    desk?.id,
  ]);
  const later = await caught.takeEmailTo(owner.email);
  expect(later.text).toContain('Station, Hall 2\n');
  expect(later.text).not.toContain('1234567');
});
