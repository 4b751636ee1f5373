import type { TestDatabase } from '#tests/support/test-database.ts';
import { OUR_SCHEMAS, SMALL } from './statement-plans.ts';

/** Rows of each table that grows, with `n` from 1. Ids are derived from `n`, so that the rows belong together. */
const ROWS: Readonly<Record<string, string>> = {
  'auth.users (id, email, email_confirmed_at, last_sign_in_at)': `owner, n || '@example.com', now(), now()`,
  'auth.identities (user_id, provider, provider_id)': `owner, 'email', n::text`,
  'auth.sessions (id, user_id)': 'session, owner',
  'auth.refresh_tokens (token_hash, session_id, counter, revoked_at)':
    'hash, session, 0, case when n % 2 = 0 then now() end',
  'auth.mfa_factors (id, user_id, factor_type, phone, status)': `factor, owner, 'phone', '1500555', 'verified'`,
  'auth.mfa_challenges (factor_id, session_id, expires_at)': 'factor, session, now()',
  'auth.passkeys (user_id, credential_id, public_key)': 'owner, hash, hash',
  'auth.spent_challenges (id, expires_at)': 'gen_random_uuid(), now()',
  'auth.recovery_codes (user_id, code_hash)': 'owner, hash',
  'auth.known_devices (user_id, device_hash)': 'owner, hash',
  'auth.one_time_tokens (user_id, token_type, token_hash, relates_to, channel, expires_at)': `owner, 'sign_in', hash, n || '@example.com', 'email', now()`,
  'auth.authorization_codes (code_hash, user_id, code_challenge, method, expires_at)': `hash, owner, repeat('x', 43), 'otp', now()`,
  'auth.code_failures (user_id, in_a_row)': 'owner, 1',
  'auth.oidc_flows (state_hash, browser_hash, provider, redirect_to, session_id, expires_at)': `hash, hash, 'example', '/', session, now() + interval '1 day'`,
  'auth.audit_log (event, user_id, at)': `'signed_in', owner, now()`,
  'public.profiles (id, full_name, email, avatar)': `owner, 'Olive', n || '@example.com', 'avatar-' || n`,
  'internal.operators (user_id)': 'owner',
  'public.notice_settings (user_id, sms)': 'owner, true',
  'public.test_notices (user_id, way)': `owner, 'email'`,
  'public.notice_addresses (user_id, kind, name, url)': `owner, 'webhook', 'Home', 'https://hook.example.com/' || n`,
  'public.measured_labels (user_id, name, page, label_width, label_height, columns, rows, margin_left, margin_top, gap_x, gap_y)': `owner,
    'Freezer', 'a4', 50, 30, 3, 8, 10, 12, 2.5, 0`,
  'public.push_subscriptions (user_id, session_id, device, endpoint, p256dh, auth, server_key)': `owner, session, 'Firefox on Linux',
    'https://push.example.com/' || n, 'B' || repeat('p', 86), repeat('a', 22), 'B' || repeat('s', 86)`,
  'public.second_contacts (id, owner_id, email, agreed_at)': `item, owner, n || '@example.com', case when n % 2 = 0 then now() end`,
  'internal.contact_links (token_hash, contact_id, conversation_id)': 'hash, item, conversation',
  'public.sticker_batches (id, label, issued_by, size)': `batch, 'Batch ' || n, 'olga', 1`,
  'public.qr_codes (qr_id, owner_id, claimed_at, batch_id, batch_place, stands_for, voided_at, void_reason)': `'tgt-' || n, owner, now(),
    case when n % 2 = 0 then batch end, case when n % 2 = 0 then 0 end, case when n % 3 = 0 then 'tgt-' || n - 1 end,
    case when n % 10 = 0 then now() end, case when n % 10 = 0 then 'Stolen' end`,
  'internal.typed_codes (typed_code, qr_id)': `'typed ' || n, 'tgt-' || n`,
  'public.items (id, qr_id, user_id, item_type, item_name, photo)': `item, 'tgt-' || n, owner, 'keys', 'Keys', 'photo-' || n`,
  'public.item_offers (giver_id, item_id, email)': `owner, item, n || '@example.com'`,
  'public.desks (id, name, place, time_zone, week, position)': `item, 'Desk ' || n, 'Hall ' || n, 'UTC', '[[], [], [], [], [], [], []]', n`,
  'public.conversations (id, item_id, owner_id, finder_key_hash, newest_at, waits_since)':
    'conversation, item, owner, hash, now(), now()',
  'public.messages (conversation_id, item_id, owner_id, sender, body)': `conversation, item, owner, 'finder', 'Found'`,
  'internal.return_keys (key_hash, conversation_id)': `sha256(('back ' || n)::bytea), conversation`,
  'internal.finder_addresses (conversation_id, address, qr_id, language, expires_at)': `conversation, n || '@example.net', 'tgt-' || n,
    'en', now() + make_interval(days => 1 + n % 90)`,
  'internal.blocked_keys (owner_id, key_hash)': 'owner, hash',
  'internal.moved_keys (item_id, key_hash)': 'item, hash',
  'internal.reports (kind, qr_id, owner_then, reported_by, conversation_id, closed_at)': `case when n % 2 = 0 then 'spam' else 'abuse' end,
    'tgt-' || n, case when n % 2 = 1 then owner end, case when n % 2 = 0 then owner end,
    case when n % 2 = 0 then conversation end, case when n % 4 > 1 then now() end`,
  'public.channel_openings (item_id, owner_id, channel)': `item, owner, 'call'`,
  'storage.objects (bucket_id, name, owner, renditions)': `case n % 2 when 0 then 'avatars' else 'item-photos' end, n::text, owner,
    jsonb_build_array(jsonb_build_object('version', n::text))`,
  'realtime.presences (server_id, channel_id, topic, private, key, ref, payload)': `owner, n, 'room ' || n, false, n::text, '1', '{}'`,
  'realtime.messages (topic, extension)': `'room ' || n, 'broadcast'`,
  'internal.sent_keys (key)': `'filled ' || n`,
  'internal.rate_limits (key, expire)': `'filled ' || n, 9007199254740991`,
  'internal.removed_files (file)': `'removed ' || n`,
  'internal.unproved_notices (message_id, user_id, conversation_id)': 'item, owner, conversation',
  'internal.stopped_recipients (recipient)': 'hash',
  'internal.endings (what, id)': `'auth.sessions', item::text`,
  'internal.development_outbox (channel, recipient, body)': `'email', n || '@example.com', 'Hello'`,
};

/**
 * Inserts this many rows into each growing table and updates the planner's statistics. Triggers and foreign keys are
 * disabled meanwhile. Fails where a table has no rows here: statistics of a table of few rows depend on when PostgreSQL
 * takes them, and so would its plans.
 */
export async function fillTables(database: TestDatabase, rows: number): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || relname as name from pg_class
       where relkind = 'r' and relnamespace::regnamespace::text = any($1)`,
    [[...OUR_SCHEMAS]],
  );
  const filled = new Set(Object.keys(ROWS).map((table) => table.split(' ', 1)[0]));
  const empty = tables.filter(({ name }) => !SMALL.has(name) && !filled.has(name));
  if (empty.length > 0) throw new Error(`No rows for ${empty.map(({ name }) => name).join(', ')}`);
  const client = await database.pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const [table, values] of Object.entries(ROWS)) {
      await client.query(
        `insert into ${table}
           select ${values} from generate_series(1, $1::int) as n, lateral (
             select md5('owner' || n)::uuid as owner, md5('session' || n)::uuid as session, md5('item' || n)::uuid as item,
               md5('batch' || n)::uuid as batch,
               md5('conversation' || n)::uuid as conversation, md5('factor' || n)::uuid as factor,
               convert_to(md5(n::text), 'UTF8') as hash
           ) as ids`,
        [rows],
      );
    }
    await client.query('analyze');
  } finally {
    client.release(true);
  }
}
