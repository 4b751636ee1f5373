import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { purgeExpired } from '#server/jobs/upkeep/purge-expired.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();

test('old lines of the audit log and devices not seen for long are removed, and nothing else', async () => {
  const { id } = await createOwner(database);
  await database.query(
    `insert into auth.audit_log (event, user_id, at)
       select 'signed_in', $1, now() - make_interval(days => days) from unnest(array[0, 29, 31]) as days`,
    [id],
  );
  for (const days of [0, 399, 401]) {
    await database.query(
      `insert into auth.known_devices (user_id, device_hash, seen_at) values ($1, $2, now() - make_interval(days => $3))`,
      [id, randomBytes(32), days],
    );
  }
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired({ ...dependencies, config: { ...dependencies.config, auditLogDays: 30 } });
  await dependencies.database.close();
  const ages = (table: string, column: string) =>
    database.query(
      `select extract(day from now() - ${column})::int as days from ${table} where user_id = $1 and ${column} < now() - interval '1 hour'`,
      [id],
    );
  expect(await ages('auth.audit_log', 'at')).toEqual([{ days: 29 }]);
  expect(await ages('auth.known_devices', 'seen_at')).toEqual([{ days: 399 }]);
});

test('push subscriptions that have ended are shown for thirty days', async () => {
  const owner = await createOwner(database);
  await database.query(
    `with session as (insert into auth.sessions (user_id) select $1 from generate_series(1, 3) returning id)
     insert into public.push_subscriptions (user_id, session_id, device, endpoint, p256dh, auth, server_key, ended_at)
       select $1, id, 'Old', 'https://push.example.com/' || id, 'B' || repeat('p', 86), repeat('a', 22),
         'B' || repeat('s', 86), (array[null, now() - interval '29 days', now() - interval '31 days'])[row_number() over ()]
         from session`,
    [owner.id],
  );
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const days = 'extract(day from now() - ended_at)::int as days';
  const left = `select ${days} from public.push_subscriptions where user_id = $1 order by days`;
  expect(await database.query(left, [owner.id])).toEqual([{ days: 29 }, { days: null }]);
});

test('notice addresses that have ended are shown for thirty days', async () => {
  const owner = await createOwner(database);
  await database.query(
    `insert into public.notice_addresses (user_id, kind, name, url, ended_at)
       values ($1, 'webhook', 'Lives', 'https://hook.example.com/1', null),
         ($1, 'webhook', 'Shown', 'https://hook.example.com/2', now() - interval '29 days'),
         ($1, 'webhook', 'Over', 'https://hook.example.com/3', now() - interval '31 days')`,
    [owner.id],
  );
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const left = 'select name from public.notice_addresses where user_id = $1 order by name';
  expect(await database.query(left, [owner.id])).toEqual([{ name: 'Lives' }, { name: 'Shown' }]);
});

test('offers are kept for ninety days after their last day, and records of given items while they have conversations', async () => {
  const owner = await createOwner(database);
  const give = async (itemName: string, days: number) => {
    const item = await createItem(database, owner, { itemName });
    await database.query(
      'insert into public.item_offers (giver_id, item_id, email, expires_at) values ($1, $2, $3, now() - make_interval(days => $4))',
      [owner.id, item.id, 'friend@example.com', days],
    );
    await database.query(
      'update public.items set qr_id = null, given_at = now() - make_interval(days => $2) where id = $1',
      [item.id, days],
    );
    return item;
  };
  await createItem(database, owner, { itemName: 'Kept' });
  await give('Given lately', 89);
  await give('Given long ago', 91);
  const { id } = await give('Given long ago, and written about', 91);
  await database.query('insert into public.conversations (item_id, owner_id) values ($1, $2)', [id, owner.id]);

  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const left = `select item.item_name, offer.id is not null as has_offer from public.items as item
    left join public.item_offers as offer on offer.item_id = item.id where item.user_id = $1 order by 1`;
  expect(await database.query(left, [owner.id])).toEqual([
    { item_name: 'Given lately', has_offer: true },
    { item_name: 'Given long ago, and written about', has_offer: false },
    { item_name: 'Kept', has_offer: false },
  ]);
});

test('second contacts who left, and invitations without a response, are kept for thirty days', async () => {
  const owner = await createOwner(database);
  await database.query(
    `insert into public.second_contacts (owner_id, email, created_at, agreed_at, left_at) values
       ($1, 'agreed@example.com', now() - interval '400 days', now() - interval '400 days', null),
       ($1, 'invited@example.com', now() - interval '29 days', null, null),
       ($1, 'silent@example.com', now() - interval '31 days', null, null),
       ($1, 'declined@example.com', now() - interval '40 days', null, now() - interval '29 days'),
       ($1, 'declined-before@example.com', now() - interval '40 days', null, now() - interval '31 days'),
       ($1, 'left@example.com', now() - interval '40 days', now(), now() - interval '29 days'),
       ($1, 'gone@example.com', now() - interval '40 days', now(), now() - interval '31 days')`,
    [owner.id],
  );
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const left = 'select email from public.second_contacts where owner_id = $1 order by email';
  const emails = ['agreed@example.com', 'declined@example.com', 'invited@example.com', 'left@example.com'];
  expect(await database.query(left, [owner.id])).toEqual(emails.map((email) => ({ email })));
});

test('sessions that have ended are forgotten after a day; others stay [K37]', async () => {
  const owner = await createOwner(database);
  const insert = `insert into auth.sessions (user_id, not_after, device)
    values ($1, now() - interval '25 hours', 'over'), ($1, now() + interval '1 hour', 'lives'), ($1, null, 'endless')`;
  await database.query(insert, [owner.id]);
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const left = "select device from auth.sessions where user_id = $1 and device <> 'Unknown device' order by device";
  expect(await database.query(left, [owner.id])).toEqual([{ device: 'endless' }, { device: 'lives' }]);
});

test('expired codes and links, and unconfirmed registrations, are purged; valid ones stay', async () => {
  const owner = await createOwner(database);
  for (const [type, days] of [
    ['recovery', 2],
    ['sign_in', -1],
  ] as const) {
    await database.query(
      `insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, channel, expires_at)
         values ($1, $2, $3, 'x@example.com', 'email', now() - make_interval(days => $4))`,
      [owner.id, type, randomBytes(32), days],
    );
  }
  // Its code is over, and its link is not.
  await database.query(
    `insert into auth.one_time_tokens
         (user_id, token_type, token_hash, link_hash, relates_to, channel, expires_at, link_expires_at)
       values ($1, 'email_change_new', $2, $3, 'x@example.com', 'email', now() - interval '2 days', now() + interval '1 hour')`,
    [owner.id, randomBytes(32), randomBytes(32)],
  );
  for (const minutes of [-5, 3 * 24 * 60]) {
    await database.query(
      `insert into auth.authorization_codes (code_hash, user_id, code_challenge, method, expires_at)
         values ($1, $2, repeat('x', 43), 'otp', now() - make_interval(mins => $3))`,
      [randomBytes(32), owner.id, minutes],
    );
  }
  const registered = async (days: number, sentDays: number, more = '') => {
    const email = `unconfirmed-${randomBytes(6).toString('hex')}@example.com`;
    await database.query(
      `insert into auth.users (claimed_email, created_at, confirmation_sent_at)
         values ($1, now() - make_interval(days => $2), now() - make_interval(days => $3))`,
      [email, days, sentDays],
    );
    if (more !== '') await database.query(`update auth.users set ${more} where claimed_email = $1`, [email]);
    return email;
  };
  const kept = [
    await registered(31, 29),
    await registered(29, 29),
    await registered(90, 90, 'phone_confirmed_at = now()'),
    await registered(90, 90, 'is_anonymous = true'),
    await registered(90, 90, 'last_sign_in_at = now()'),
  ];
  const forgotten = [await registered(31, 31), await registered(90, 31)];

  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();

  const types = await database.query('select token_type from auth.one_time_tokens where user_id = $1 order by 1', [
    owner.id,
  ]);
  expect(types).toEqual([{ token_type: 'email_change_new' }, { token_type: 'sign_in' }]);
  expect(await database.query('select from auth.authorization_codes where user_id = $1', [owner.id])).toHaveLength(1);
  const left = await database.query<{ email: string }>(
    'select claimed_email as email from auth.users where claimed_email = any($1)',
    [[...kept, ...forgotten]],
  );
  expect(left.map(({ email }) => email).sort()).toEqual(kept.sort());
  expect(await database.query('select from auth.users where id = $1', [owner.id])).toHaveLength(1);
});

test('anonymous accounts are purged behind more of them that stay than one statement looks at', async () => {
  // Of the same moment, so that the order of their ids counts too.
  await database.query(
    `insert into auth.users (is_anonymous, claimed_email, created_at, updated_at)
       select true, 'stays-' || n || '@example.com', now() - interval '91 days', now() - interval '91 days'
         from generate_series(1, 1100) as n`,
  );
  const unused = await database.query<{ id: string }>(
    `insert into auth.users (is_anonymous, created_at, updated_at)
       select true, now() - make_interval(days => days), now() - interval '90 days'
         from unnest(array[92, 91, 90]) as days
       returning id`,
  );
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();

  expect(await database.query("select from auth.users where claimed_email like 'stays-%'")).toHaveLength(1100);
  expect(await database.query('select from auth.users where id = any($1)', [unused.map(({ id }) => id)])).toEqual([]);
});

test('unused anonymous accounts without data are purged, and the audit log says so', async () => {
  const anonymous = async (days: number) => {
    const [account] = await database.query<{ id: string }>(
      `insert into auth.users (is_anonymous, created_at, updated_at)
         values (true, now() - make_interval(days => $1), now() - make_interval(days => $1)) returning id`,
      [days],
    );
    return account?.id ?? '';
  };
  const session = (id: string, days: number) =>
    database.query(
      `insert into auth.sessions (user_id, created_at, refreshed_at)
         values ($1, now() - interval '90 days', now() - make_interval(days => $2))`,
      [id, days],
    );
  const [young, used, unused, withItem, withCode, named] = [
    await anonymous(29),
    await anonymous(90),
    await anonymous(90),
    await anonymous(90),
    await anonymous(90),
    await createOwner(database),
  ];
  await session(used, 29);
  await session(unused, 31);
  await createItem(database, { id: withItem });
  await database.query('update public.qr_codes set owner_id = $2, claimed_at = now() where qr_id = $1', [
    await issueTagCode(database),
    withCode,
  ]);
  await database.query("update auth.users set created_at = now() - interval '90 days' where id = $1", [named.id]);

  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();

  const ids = [young, used, unused, withItem, withCode, named.id];
  const left = await database.query<{ id: string }>('select id from auth.users where id = any($1)', [ids]);
  expect(left.map(({ id }) => id).sort()).toEqual(ids.filter((id) => id !== unused).sort());
  expect(
    await database.query('select event from auth.audit_log where user_id = $1 order by id', [unused]),
  ).toContainEqual({ event: 'account_deleted' });
});

test('an anonymous account that gets an address while the purge waits for it stays', async () => {
  const [account] = await database.query<{ id: string }>(
    `insert into auth.users (is_anonymous, created_at, updated_at)
       values (true, now() - interval '90 days', now() - interval '90 days') returning id`,
  );
  const other = await connectTo(database.address);
  await other.query('begin');
  await other.query('update auth.users set claimed_email = $2 where id = $1', [account?.id, anEmail()]);
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  const purged = purgeExpired(dependencies);
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(() => database.query(waiting)).toHaveLength(1);
  await other.query('commit');
  await purged;
  await dependencies.database.close();
  expect(await database.query('select from auth.users where id = $1', [account?.id])).toHaveLength(1);
});

test('an account that can be signed in to or that has files stays, whatever its name', async () => {
  const marked = async (column: string, value: string) => {
    const [account] = await database.query<{ id: string }>(
      `insert into auth.users (is_anonymous, ${column}, created_at, updated_at)
         values (true, $1, now() - interval '90 days', now() - interval '90 days') returning id`,
      [value],
    );
    return account?.id ?? '';
  };
  const owning = async (insert: string) => {
    const id = await marked('aud', 'authenticated');
    await database.query(insert, [id]);
    return id;
  };
  const kept = [
    await marked('claimed_email', anEmail()),
    await marked('phone', aPhone().slice(1)),
    await marked('encrypted_password', 'a hash'),
    await marked('email_confirmed_at', '2020-01-01T00:00:00Z'),
    await marked('phone_confirmed_at', '2020-01-01T00:00:00Z'),
    await owning("insert into auth.identities (user_id, provider, provider_id) values ($1, 'example', 'somebody')"),
    await owning(
      "insert into auth.mfa_factors (user_id, factor_type, secret, status) values ($1, 'totp', '\\x00', 'verified')",
    ),
    await owning("insert into storage.objects (bucket_id, name, owner) values ('avatars', 'me.webp', $1)"),
  ];
  const forgotten = [
    await marked('aud', 'authenticated'),
    await owning("insert into auth.mfa_factors (user_id, factor_type, secret) values ($1, 'totp', '\\x00')"),
  ];

  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();

  const left = await database.query<{ id: string }>('select id from auth.users where id = any($1)', [
    [...kept, ...forgotten],
  ]);
  expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
});

test('a report is kept for 30 days after it was closed, and for 180 days at most', async () => {
  await database.query(`insert into internal.reports (kind, qr_id, created_at, closed_at) values
    ('abuse', 'tgt-open', now() - interval '179 days', null), ('abuse', 'tgt-old', now() - interval '181 days', null),
    ('abuse', 'tgt-closed', now() - interval '40 days', now() - interval '29 days'),
    ('abuse', 'tgt-done', now() - interval '40 days', now() - interval '31 days')`);
  await purgeExpired(dependenciesForJobs(database.address, catchDelivery()));
  const rows = await database.query<{ qr_id: string }>('select qr_id from internal.reports order by qr_id');
  expect(rows.map(({ qr_id }) => qr_id)).toEqual(['tgt-closed', 'tgt-open']);
});

test('a finder’s address is removed once it has expired', async () => {
  const owner = await createOwner(database);
  const rows = await database.query<{ id: string }>(
    `with item as (insert into public.items (qr_id, user_id, item_type, item_name)
         values ($2, $1, 'keys', 'Keys') returning id)
       insert into public.conversations (item_id, owner_id) select id, $1 from item, generate_series(1, 2) returning id`,
    [owner.id, await issueTagCode(database)],
  );
  await database.query(
    `insert into internal.finder_addresses (conversation_id, address, qr_id, language, expires_at)
       values ($1, 'expired@example.net', 'tgt-x', 'en', now() - interval '1 minute'),
         ($2, 'kept@example.net', 'tgt-x', 'en', now() + interval '1 minute')`,
    rows.map(({ id }) => id),
  );
  await purgeExpired(dependenciesForJobs(database.address, catchDelivery()));
  expect(await database.query('select address from internal.finder_addresses')).toEqual([
    { address: 'kept@example.net' },
  ]);
});

test('a block outlives its deleted conversation as long as a browser keeps its key', async () => {
  const owner = await createOwner(database);
  await database.query(
    `insert into internal.blocked_keys (owner_id, key_hash, created_at)
       values ($1, 'old', now() - interval '91 days'), ($1, 'recent', now() - interval '89 days')`,
    [owner.id],
  );
  await purgeExpired(dependenciesForJobs(database.address, catchDelivery()));
  const rows = await database.query<{ key: string }>(
    "select encode(key_hash, 'escape') as key from internal.blocked_keys",
  );
  expect(rows).toEqual([{ key: 'recent' }]);
});

test('a running server has it in its calendar', async () => {
  await startTestServer(database);
  const entries = () => database.query('select identifier from graphile_worker._private_known_crontabs');
  await expect.poll(entries).toContainEqual({ identifier: 'purge_expired' });
});

test('broadcasts are kept for three days for replay', async () => {
  await database.query(
    `insert into realtime.messages (topic, extension, event, private, inserted_at)
       select 'room', 'broadcast', hours::text, true, (now() at time zone 'UTC') - make_interval(hours => hours)
         from unnest(array[0, 71, 73]) as hours`,
  );
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const kept = await database.query('select event from realtime.messages order by inserted_at');
  expect(kept).toEqual([{ event: '71' }, { event: '0' }]);
});

test('permanently failed jobs are kept for a week, and those with attempts left stay', async () => {
  for (const [key, attempts, days] of [
    ['failed long ago', 25, 8],
    ['failed lately', 25, 6],
    ['tried on', 24, 8],
  ] as const) {
    await database.query("select graphile_worker.add_job('send_account_mail', '{}', job_key := $1)", [key]);
    await database.query(
      `update graphile_worker._private_jobs set attempts = $2, updated_at = now() - make_interval(days => $3)
         where key = $1`,
      [key, attempts, days],
    );
  }
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const kept = await database.query("select key from graphile_worker.jobs where key ~ 'failed|tried' order by key");
  expect(kept).toEqual([{ key: 'failed lately' }, { key: 'tried on' }]);
});

test('any number of rows is removed, and a failure in one table does not keep the others', async () => {
  const { id } = await createOwner(database);
  await database.query(
    `insert into auth.audit_log (event, at)
       select 'signed_in', now() - interval '400 days' from generate_series(1, 10001)`,
  );
  await database.query(
    "insert into auth.known_devices (user_id, device_hash, seen_at) values ($1, '\\x00', now() - interval '401 days')",
    [id],
  );
  await database.query(`
    insert into realtime.messages (topic, extension, inserted_at) values ('old', 'broadcast', '2020-01-01');
    select graphile_worker.add_job('send_account_mail', '{}') from generate_series(1, 5001);
    update graphile_worker._private_jobs set attempts = max_attempts, updated_at = now() - interval '8 days'
      where key is null;
    create function public.refuse() returns trigger language plpgsql as $$ begin raise 'Not this one'; end $$;
    create trigger refuse before delete on auth.known_devices for each row execute function public.refuse()`);
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await expect(purgeExpired(dependencies)).rejects.toThrow('Not this one');
  await dependencies.database.close();
  await database.query('drop function public.refuse cascade');
  expect(await database.query("select from auth.audit_log where at < now() - interval '399 days'")).toEqual([]);
  expect(await database.query("select from realtime.messages where topic = 'old'")).toEqual([]);
  expect(
    await database.query('select from graphile_worker.jobs where attempts = max_attempts and key is null'),
  ).toEqual([]);
});
