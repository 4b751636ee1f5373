import { describe, expect, test } from 'vitest';
import type { Delivery, Email, Sms } from '#server/delivery/delivery.ts';
import { SmsNotTaken } from '#server/delivery/sms/sms-sender.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { letTimePass, stepsOf } from '#tests/support/unseen-notices.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { withoutLinks } from '#tests/support/without-links.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const caught = catchDelivery();
const logged: string[] = [];
/** Each try to send, because the catcher takes one key once. */
const handed: (Email | Sms)[] = [];
/** What runs instead of the delivery of an SMS, in the tests that set it. */
let sendSms: Delivery['sendSms'] | null = null;
const delivery: Delivery = {
  ...caught,
  sendEmail(email) {
    handed.push(email);
    return caught.sendEmail(email);
  },
  sendSms(sms) {
    if (sendSms !== null) return sendSms(sms);
    handed.push(sms);
    return caught.sendSms(sms);
  },
};
/** Two servers on one queue. */
const [{ limits }] = [await serve(), await serve()];

async function serve(on = database) {
  const made = dependenciesForJobs(on.address, delivery, logged);
  const dependencies = { ...made, config: { ...made.config, smsCountries: new Set(['IL', 'US'] as const) } };
  const jobs = await startJobs(dependencies);
  whenDone(async () => {
    await jobs.stop();
    await dependencies.database.close();
  });
  return dependencies;
}

interface Settings {
  readonly sms?: boolean;
  readonly email?: boolean;
  readonly reminder?: boolean;
  /** Hours from now, between which it is quiet. */
  readonly quiet?: readonly [from: number, to: number];
}

/** An owner with a confirmed number and an item. */
async function createListener({ sms = true, email = true, reminder = true, quiet }: Settings = {}, on = database) {
  const owner = await createOwner(on, { phone: aPhone() });
  await on.query('update auth.users set phone = $2, phone_confirmed_at = now() where id = $1', [
    owner.id,
    owner.phone.slice(1),
  ]);
  await on.query('insert into public.notice_settings (user_id, sms, email, reminder) values ($1, $2, $3, $4)', [
    owner.id,
    sms,
    email,
    reminder,
  ]);
  if (quiet !== undefined) await setQuietHours(owner, quiet);
  const item = await createItem(on, owner, { itemName: 'Blue backpack' });
  return { owner, item };
}

async function setQuietHours({ id }: TestOwner, [from, to]: readonly [number, number]): Promise<void> {
  await database.query(
    `update public.notice_settings
       set quiet_from = (now() at time zone 'UTC' + make_interval(hours => $2))::time,
         quiet_to = (now() at time zone 'UTC' + make_interval(hours => $3))::time, time_zone = 'UTC'
       where user_id = $1`,
    [id, from, to],
  );
}

function textsTo({ phone }: TestOwner) {
  return handed.filter(({ to }) => to === phone);
}

function remindersTo({ email }: TestOwner) {
  return handed.filter((sent): sent is Email => sent.to === email && sent.key?.startsWith('reminder:') === true);
}

/** As the owner's app does when it shows the conversation. */
async function see({ id }: TestItem): Promise<void> {
  await database.query('update public.messages set read_at = now() where item_id = $1', [id]);
}

/** So that the SMS is due, and then the reminder. */
async function letADayPass(item: TestItem): Promise<void> {
  await letTimePass(database, item, '16 minutes');
  await expect.poll(async () => (await stepsOf(database, item)).map(({ step }) => step)).toEqual(['reminder']);
  await letTimePass(database, item, '25 hours');
}

/** A finder's message of the conversation that the item has. */
async function writeMore({ id }: TestItem, sender = 'finder'): Promise<void> {
  await database.query(
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
       select id, item_id, owner_id, $2, 'More' from public.conversations where item_id = $1`,
    [id, sender],
  );
}

test('a message that stays unseen is texted after 15 minutes and reminded of after a day, once each', async () => {
  const { owner, item } = await createListener();
  await sendMessage(database, item, 'Call me at +1 555 0100, I am Fay Finder');
  await caught.takeEmailTo(owner.email);
  expect(await stepsOf(database, item)).toEqual([
    { step: 'sms', minutes: 15 },
    { step: 'reminder', minutes: 24 * 60 },
  ]);
  expect(textsTo(owner)).toEqual([]);
  await database.query('update public.conversations set delivered_until = null where item_id = $1', [item.id]);

  await letTimePass(database, item, '16 minutes');
  const sms = await caught.takeSmsTo(owner.phone);
  expect(sms.text).toContain('https://lost.example.org/dashboard');
  expect(withoutLinks(sms.text)).not.toMatch(/Fay|555|backpack|Call me/);
  await expect.poll(() => stepsOf(database, item)).toHaveLength(1);
  const isDelivered = 'select delivered_until is not null as yes from public.conversations where item_id = $1';
  expect(await database.query(isDelivered, [item.id])).toEqual([{ yes: true }]);

  // Another message, while the first is still unseen.
  await writeMore(item);
  await letTimePass(database, item, '20 minutes');
  await expect.poll(() => stepsOf(database, item)).toHaveLength(1);
  await letTimePass(database, item, '24 hours');
  await expect.poll(() => remindersTo(owner)).toHaveLength(1);
  await expect.poll(() => stepsOf(database, item)).toEqual([]);
  const [reminder] = remindersTo(owner);
  expect(reminder).toMatchObject({ subject: expect.stringContaining('Blue backpack') });
  expect(reminder?.text).toContain('2 messages are still waiting');
  expect(reminder?.text).toContain(`https://lost.example.org/item/${item.qrId}`);
  expect(withoutLinks(reminder?.text ?? '')).not.toMatch(/Fay|555/);
  expect(textsTo(owner)).toHaveLength(1);
});

test('after the owner has seen them, later messages are texted again, 15 minutes after they came', async () => {
  const { owner, item } = await createListener({ reminder: false });
  await sendMessage(database, item);
  await letTimePass(database, item, '10 minutes');
  await see(item);
  await writeMore(item);
  await letTimePass(database, item, '6 minutes');
  // The step of the first message finds the second, which is six minutes old.
  await expect.poll(() => stepsOf(database, item)).toEqual([{ step: 'sms', minutes: 9 }]);
  expect(textsTo(owner)).toEqual([]);
  await letTimePass(database, item, '10 minutes');
  await expect.poll(() => textsTo(owner)).toHaveLength(1);
  await expect.poll(() => stepsOf(database, item)).toEqual([]);

  await see(item);
  await writeMore(item);
  await letTimePass(database, item, '16 minutes');
  await expect.poll(() => textsTo(owner)).toHaveLength(2);
});

describe('a message that waits is neither texted nor reminded of', () => {
  const statements: readonly (readonly [string, string])[] = [
    ['was seen', 'update public.messages set read_at = now() where item_id = $1'],
    [
      'was replied to',
      `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
         select id, item_id, owner_id, 'owner', 'Thanks' from public.conversations where item_id = $1`,
    ],
    ['is of an item that was returned', 'update public.conversations set returned_at = now() where item_id = $1'],
    ['was muted', 'update public.conversations set muted_at = now() where item_id = $1'],
    ['was blocked', 'update public.conversations set blocked_at = now() where item_id = $1'],
    ['was deleted', 'delete from public.messages where item_id = $1'],
    [
      'is of an owner who changed the settings',
      `update public.notice_settings set sms = false, reminder = false
         where user_id = (select user_id from public.items where id = $1)`,
    ],
    [
      'is of an owner without a confirmed number and address',
      `update auth.users set phone_confirmed_at = null, email = null, email_confirmed_at = null
         where id = (select user_id from public.items where id = $1)`,
    ],
  ];
  test.each(statements)('when it %s', async (_, statement) => {
    const { owner, item } = await createListener();
    await sendMessage(database, item);
    await caught.takeEmailTo(owner.email);
    expect(await stepsOf(database, item)).toHaveLength(2);
    await database.query(statement, [item.id]);
    await letTimePass(database, item, '25 hours');
    await expect.poll(() => stepsOf(database, item)).toEqual([]);
    expect(textsTo(owner)).toEqual([]);
    expect(remindersTo(owner)).toEqual([]);
  });

  test('when its conversation or its account was deleted', async () => {
    for (const statement of [
      'delete from public.conversations where item_id = $1',
      'delete from auth.users where id = (select user_id from public.items where id = $1)',
    ]) {
      const { owner, item } = await createListener();
      await sendMessage(database, item);
      await caught.takeEmailTo(owner.email);
      const steps = await database.query<{ id: string }>(
        `select jobs.id from graphile_worker.jobs as jobs join public.conversations as conversation
           on jobs.key like 'notify_of_unseen:%:' || conversation.id where item_id = $1`,
        [item.id],
      );
      expect(steps).toHaveLength(2);
      await database.query(statement, [item.id]);
      const ids = steps.map(({ id }) => id);
      await database.query('select graphile_worker.reschedule_jobs($1::bigint[], now())', [ids]);
      await expect
        .poll(() => database.query('select from graphile_worker.jobs where id = any ($1::bigint[])', [ids]))
        .toEqual([]);
      expect(textsTo(owner)).toEqual([]);
      expect(remindersTo(owner)).toEqual([]);
    }
  });
});

test('by default an owner is reminded and not texted; a muted conversation and a rolled-back message enqueue nothing', async () => {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  await sendMessage(database, item);
  expect(await stepsOf(database, item)).toEqual([{ step: 'reminder', minutes: 24 * 60 }]);

  const muted = await createListener();
  await sendMessage(database, muted.item);
  await letADayPass(muted.item);
  await expect.poll(() => stepsOf(database, muted.item)).toEqual([]);
  await database.query('update public.conversations set muted_at = now() where item_id = $1', [muted.item.id]);
  await writeMore(muted.item);
  expect(await stepsOf(database, muted.item)).toEqual([]);

  const undone = await createListener();
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('select public.send_message($1, $2)', [undone.item.qrId, 'Never mind']);
  const count =
    "select count(*)::int as count from graphile_worker.jobs where task_identifier like 'notify_of_unseen%'";
  const before = (await client.query<{ count: number }>(count)).rows[0]?.count ?? 0;
  await client.query('rollback');
  client.release();
  const [after] = await database.query<{ count: number }>(count);
  expect(before - (after?.count ?? 0)).toBe(2);
});

test('an SMS waits for the end of the quiet hours, and is not sent if the message is seen before', async () => {
  const [waiting, seen] = [await createListener({ quiet: [-1, 2] }), await createListener({ quiet: [-1, 2] })];
  for (const { item } of [waiting, seen]) {
    await sendMessage(database, item);
    await letTimePass(database, item, '16 minutes');
    await expect.poll(() => stepsOf(database, item)).toContainEqual({ step: 'sms', minutes: expect.closeTo(120, -1) });
  }
  expect(textsTo(waiting.owner)).toEqual([]);
  await see(seen.item);
  for (const { owner, item } of [waiting, seen]) {
    // Hours later.
    await setQuietHours(owner, [-4, -1]);
    await letTimePass(database, item, '3 hours');
    await expect.poll(async () => (await stepsOf(database, item)).map(({ step }) => step)).toEqual(['reminder']);
  }
  expect(textsTo(waiting.owner)).toHaveLength(1);
  expect(textsTo(seen.owner)).toEqual([]);
});

test.each([
  ['22:00', '07:00', 'Asia/Jerusalem', '2026-11-23T23:30:00Z', '2026-11-24T05:00:00Z'],
  ['22:00', '07:00', 'Asia/Jerusalem', '2026-11-23T20:00:00Z', '2026-11-24T05:00:00Z'],
  ['22:00', '07:00', 'Asia/Jerusalem', '2026-11-24T05:00:00Z', null],
  ['22:00', '07:00', 'Asia/Jerusalem', '2026-11-23T19:59:59Z', null],
  ['13:00', '15:00', 'America/New_York', '2026-07-01T18:00:00Z', '2026-07-01T19:00:00Z'],
  ['13:00', '15:00', 'America/New_York', '2026-07-01T19:00:00Z', null],
  // The night in which the clock skips from 2:00 to 3:00, and the one in which it repeats the hour before 2:00.
  ['23:00', '02:30', 'America/New_York', '2026-03-08T06:30:00Z', '2026-03-08T07:30:00Z'],
  ['23:00', '01:30', 'America/New_York', '2026-11-01T05:10:00Z', '2026-11-01T06:30:00Z'],
])('quiet hours from %s to %s in %s hold at %s until %s', async (from, to, zone, at, end) => {
  const rows = await database.query('select internal.end_of_quiet_hours($1, $2, $3, $4) as at', [from, to, zone, at]);
  expect(rows).toEqual([{ at: end === null ? null : new Date(end) }]);
});

test('an SMS that its provider does not take is tried again, for a day, and neither log nor queue keep its number', async () => {
  const { owner, item } = await createListener({ reminder: false });
  let refusals = 0;
  sendSms = async ({ to, text }) => {
    refusals += 1;
    throw Object.assign(new SmsNotTaken('The provider is busy.'), { to, text });
  };
  whenDone(() => {
    sendSms = null;
  });
  await sendMessage(database, item);
  await letTimePass(database, item, '16 minutes');
  await expect.poll(() => refusals).toBeGreaterThan(0);
  const failed = () =>
    database.query<{ last_error: string; max_attempts: number; attempts: number }>(
      `select last_error, max_attempts, attempts from graphile_worker.jobs as jobs
         join public.conversations as conversation on jobs.key = 'notify_of_unseen:sms:' || conversation.id
         where item_id = $1 and last_error is not null`,
      [item.id],
    );
  await expect.poll(failed).toMatchObject([{ max_attempts: 13, attempts: expect.any(Number) }]);
  const [{ last_error: error = '' } = {}] = await failed();
  expect(error).toContain('The provider is busy.');
  expect(`${error} ${logged.join('')}`).not.toContain(owner.phone.slice(1));

  sendSms = null;
  await letTimePass(database, item, '1 minute');
  await expect.poll(() => textsTo(owner)).toHaveLength(1);
  // What failed has not been counted.
  for (let count = 0; count < 9; count += 1) {
    expect((await limits.take('message_sms_per_owner', owner.id)).allowed).toBe(true);
  }
  expect((await limits.take('message_sms_per_owner', owner.id)).allowed).toBe(false);
});

test('an SMS that may have been sent is tried once more, and counted', async () => {
  const { owner, item } = await createListener({ reminder: false });
  let tries = 0;
  sendSms = async ({ to, text }) => {
    tries += 1;
    throw new Error(`no response for ${to}: ${text}`);
  };
  whenDone(() => {
    sendSms = null;
  });
  await sendMessage(database, item);
  await letTimePass(database, item, '16 minutes');
  const failed = `select last_error from graphile_worker.jobs as jobs
    join public.conversations as conversation on jobs.key = 'notify_of_unseen:sms:' || conversation.id
    where item_id = $1 and last_error is not null`;
  await expect.poll(() => database.query(failed, [item.id])).toHaveLength(1);
  expect(JSON.stringify(await database.query(failed, [item.id]))).not.toContain(owner.phone.slice(1));
  await letTimePass(database, item, '1 minute');
  await expect.poll(() => stepsOf(database, item)).toEqual([]);
  expect(tries).toBe(2);
  for (let count = 0; count < 8; count += 1) {
    expect((await limits.take('message_sms_per_owner', owner.id)).allowed).toBe(true);
  }
  expect((await limits.take('message_sms_per_owner', owner.id)).allowed).toBe(false);
});

test('a provider that hangs delays no email, and gets two SMS of each server at a time', async () => {
  const { promise: hanging, resolve: respond } = Promise.withResolvers<void>();
  let waiting = 0;
  const texted: string[] = [];
  sendSms = async ({ to }) => {
    waiting += 1;
    await hanging;
    texted.push(to);
  };
  whenDone(() => {
    respond();
    sendSms = null;
  });
  const listeners = await Promise.all(Array.from({ length: 7 }, () => createListener({ reminder: false })));
  for (const { item } of listeners) {
    await sendMessage(database, item);
    await letTimePass(database, item, '16 minutes');
  }
  await expect.poll(() => waiting).toBe(4);
  const other = await createListener({ sms: false });
  await sendMessage(database, other.item);
  await expect.poll(() => handed.filter(({ to }) => to === other.owner.email)).toHaveLength(1);
  expect(waiting).toBe(4);
  respond();
  await expect.poll(() => texted.length).toBe(7);
});

test('a step that has failed once is not postponed by a later message', async () => {
  const { item } = await createListener({ sms: false });
  await sendMessage(database, item);
  await database.query(
    `update graphile_worker._private_jobs as job set attempts = 1, run_at = now() + interval '7 minutes'
       from public.conversations as conversation
       where conversation.item_id = $1 and job.key = 'notify_of_unseen:reminder:' || conversation.id`,
    [item.id],
  );
  await writeMore(item);
  expect(await stepsOf(database, item)).toEqual([{ step: 'reminder', minutes: 7 }]);
});

test('what was accepted before a crash is not sent again', async () => {
  const { owner, item } = await createListener();
  await sendMessage(database, item);
  await letADayPass(item);
  await expect.poll(() => stepsOf(database, item)).toEqual([]);
  expect([textsTo(owner).length, remindersTo(owner).length]).toEqual([1, 1]);
  // As if the crash had come before it was stored.
  await database.query('update public.conversations set texted_at = null, reminded_at = null where item_id = $1', [
    item.id,
  ]);
  await database.query(
    `select internal.enqueue_unseen_notice(step, id, now() + wait)
       from public.conversations, (values ('sms', interval '0'), ('reminder', '1 hour')) as steps (step, wait)
       where item_id = $1`,
    [item.id],
  );
  await expect.poll(() => stepsOf(database, item)).toEqual([{ step: 'reminder', minutes: 60 }]);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => stepsOf(database, item)).toEqual([]);
  const isStored = `select texted_at is not null and reminded_at is not null as yes
    from public.conversations where item_id = $1`;
  expect(await database.query(isStored, [item.id])).toEqual([{ yes: true }]);
  expect([textsTo(owner).length, remindersTo(owner).length]).toEqual([1, 1]);
});

test('beyond twenty notices a day a digest stands for them; conversations with a reply are counted separately', async () => {
  const { owner, item } = await createListener();
  for (let count = 0; count < 20; count += 1) await limits.take('unseen_notices_per_owner', owner.id);
  await sendMessage(database, item);
  await caught.takeEmailTo(owner.email);
  // To the noon of a day: the message is of the same day after another hour, at whatever time this runs.
  const [noon] = await database.query<{ hours_ago: string }>(
    "select (now() - (date_trunc('day', now(), 'UTC') - interval '36 hours'))::text as hours_ago",
  );
  await letTimePass(database, item, noon?.hours_ago ?? '');
  await expect.poll(async () => (await stepsOf(database, item)).map(({ step }) => step)).toEqual(['reminder']);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => stepsOf(database, item)).toEqual([]);
  const digests = () => handed.filter(({ to, key }) => to === owner.email && key?.startsWith('messages:'));
  await expect.poll(digests).toMatchObject([{ subject: '1 unread message about “Blue backpack”' }]);
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
  expect(textsTo(owner)).toEqual([]);
  expect(remindersTo(owner)).toEqual([]);

  await see(item);
  await writeMore(item, 'owner');
  await writeMore(item);
  await letADayPass(item);
  await expect.poll(() => textsTo(owner)).toHaveLength(1);
  await expect.poll(() => remindersTo(owner)).toHaveLength(1);
});

test('numbers that the operator does not text get no SMS', async () => {
  const { owner, item } = await createListener({ reminder: false });
  // A premium-rate number.
  await database.query("update auth.users set phone = '19002345678' where id = $1", [owner.id]);
  await sendMessage(database, item);
  await letTimePass(database, item, '16 minutes');
  await expect.poll(() => stepsOf(database, item)).toEqual([]);
  expect(handed.filter(({ to }) => to === '+19002345678')).toEqual([]);
});

test('without emails an owner gets them while no browser gets pushes', async () => {
  const { owner, item } = await createListener({ email: false });
  await sendMessage(database, item);
  expect(await caught.takeEmailTo(owner.email)).toMatchObject({ subject: 'Someone found “Blue backpack”' });
});

test('after an outage of everything the first notice comes at once, and each later step at its distance from the one before [I58]', async () => {
  const own = await createTestDatabase();
  const { owner, item } = await createListener({}, own);
  const [contact] = await own.query<{ id: string }>(
    `insert into public.second_contacts (owner_id, email, for_all, agreed_at)
       values ($1, 'friend@example.com', true, now()) returning id`,
    [owner.id],
  );
  await sendMessage(own, item);
  // Three hours without a server.
  await own.query("update public.messages set created_at = created_at - interval '3 hours' where item_id = $1", [
    item.id,
  ]);
  await own.query(
    "select graphile_worker.reschedule_jobs(array[id], run_at - interval '3 hours') from graphile_worker.jobs",
  );
  await serve(own);
  await caught.takeEmailTo(owner.email);
  const minutesOf = async (key: string) => {
    const [job] = await own.query<{ minutes: number }>(
      `select round(extract(epoch from run_at - now()) / 60)::integer as minutes from graphile_worker.jobs
         where key like $1`,
      [key],
    );
    return job?.minutes;
  };
  const contactKey = `notify_second_contact:${contact?.id}:%`;
  // A step that found the first notice untaken looks again a minute later.
  const hurry = () =>
    own.query(
      `select graphile_worker.reschedule_jobs(array(
         select id from graphile_worker.jobs where run_at between now() and now() + interval '2 minutes'), now())`,
    );
  await expect.poll(async () => [await hurry(), await minutesOf('notify_of_unseen:sms:%')][1]).toBe(15);
  await expect.poll(async () => [await hurry(), await minutesOf(contactKey)][1]).toBe(60);
  expect(textsTo(owner)).toEqual([]);
  expect(handed.filter(({ to }) => to === 'friend@example.com')).toEqual([]);
});

test('a mail server that is back mails the owner first, and a second contact an hour later [I58]', async () => {
  const own = await createTestDatabase();
  const { owner, item } = await createListener({ sms: false }, own);
  const friend = `friend-${owner.id}@example.com`;
  await own.query(
    'insert into public.second_contacts (owner_id, email, for_all, agreed_at) values ($1, $2, true, now())',
    [owner.id, friend],
  );
  await sendMessage(own, item);
  await own.query("update public.messages set created_at = created_at - interval '3 hours' where item_id = $1", [
    item.id,
  ]);
  // The owner's email has failed nine times, and is tried again in an hour.
  await own.query(
    `select graphile_worker.reschedule_jobs(array[id], now() + interval '1 hour', attempts => 9)
       from graphile_worker.jobs where key like 'notify_owner%'`,
  );
  await own.query(
    `select graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs where key like 'notify_second_contact%'), now())`,
  );
  await serve(own);
  await caught.takeEmailTo(owner.email);
  const later = `select from graphile_worker.jobs where key like 'notify_second_contact%' and run_at > now() + interval '55 minutes'`;
  await expect
    .poll(async () => {
      await own.query(
        `select graphile_worker.reschedule_jobs(array(
           select id from graphile_worker.jobs where run_at between now() and now() + interval '2 minutes'), now())`,
      );
      return own.query(later);
    })
    .toHaveLength(1);
  expect(handed.filter(({ to }) => to === friend)).toEqual([]);
});
