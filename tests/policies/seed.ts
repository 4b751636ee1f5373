import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller } from '#server/postgres/caller.ts';
import { VISITOR } from '#server/postgres/caller.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

/** An owner with at least one row in every table that keeps something of an owner. */
export interface SeededOwner {
  readonly account: TestOwner;
  readonly item: TestItem;
  readonly messageId: string;
  /** The conversation of that message, and the key that its finder keeps. */
  readonly conversationId: string;
  readonly finderKey: string;
  /** The id of the address that its finder left, which is not proved. */
  readonly finderAddress: string;
  /** Claimed, and without an item. */
  readonly spareCode: string;
  /** The id of the account's one session. */
  readonly session: string;
  /** The id of an open offer of the item to the other owner. */
  readonly offer: string;
  /** The id of the record of an item that was given away. */
  readonly given: string;
  /** The id of a webhook. */
  readonly noticeAddress: string;
  /** The id of that session's push subscription. */
  readonly pushSubscription: string;
  /** What the database stores of the token of a second contact's link to the conversation. */
  readonly contactToken: Buffer;
}

export interface Seed {
  readonly owner: SeededOwner;
  /**
   * Another owner, so that "the caller's own rows" and "all rows" are never the same rows. This one has closed every
   * channel of the item.
   */
  readonly bystander: SeededOwner;
  /** With the token of a session that has ended, an account and its profile, and nothing else. */
  readonly stranger: TestOwner;
  /** A sticker's code that the service issued and that is free. */
  readonly issuedCode: string;
  /** An open report of the owner's item. */
  readonly report: { readonly id: string; readonly qrId: string };
  /** A code of the owner with an item, and a free one, both void. */
  readonly voidCode: { readonly owned: string; readonly free: string };
  /** The id of a desk. */
  readonly desk: string;
  /** The id of a batch of three codes, one of which is recorded. */
  readonly batch: string;
}

/** The key of the return code of the conversation with this finder's key. */
export function returnKeyOf(finderKey: string): string {
  return `back-${finderKey}`;
}

/** Who calls, in the columns of the tables. */
export type CallerName = 'anon' | 'stranger' | 'owner' | 'service';

export const CALLERS: readonly CallerName[] = ['anon', 'stranger', 'owner', 'service'];

export function callerOf(name: CallerName, { owner, stranger }: Seed): Caller {
  switch (name) {
    case 'anon':
      return VISITOR;
    case 'stranger':
      return stranger.caller;
    case 'owner':
      return owner.account.caller;
    case 'service':
      return { role: 'service_role', claims: { role: 'service_role' } };
  }
}

/** Returns the account of a caller; for callers without one, an unused id. */
export function accountOf(name: CallerName, { owner, stranger }: Seed): string {
  if (name === 'owner') return owner.account.id;
  return name === 'stranger' ? stranger.id : randomUUID();
}

export async function seed(database: TestDatabase): Promise<Seed> {
  const accounts = [await createOwner(database), await createOwner(database)] as const;
  const owner = await seedOwner(database, accounts[0], accounts[1]);
  const bystander = await seedOwner(database, accounts[1], accounts[0]);
  await database.query(
    `update public.items
       set whatsapp_enabled = false, call_enabled = false, email_enabled = false, message_enabled = false
       where id = $1`,
    [bystander.item.id],
  );
  const stranger = await createOwner(database);
  await database.query('delete from auth.sessions where id = $1', [stranger.sessionId]);
  await database.query(
    `update auth.users set claimed_email = email, email = null, email_confirmed_at = null, phone = '15550123456',
       phone_confirmed_at = now() where id = $1`,
    [stranger.id],
  );
  await database.query(
    `insert into auth.one_time_tokens (user_id, token_type, link_hash, relates_to, channel, expires_at, link_expires_at)
       values ($1, 'address_disowning', sha256('not mine'), $2, 'email', now() + interval '1 day', now() + interval '1 day')`,
    [stranger.id, stranger.email],
  );
  await database.query("insert into internal.sent_keys (key) values ('a message')");
  await database.query("insert into internal.rate_limits (key, points, expire) values ('a limit', 1, null)");
  await database.query("insert into internal.typed_code_progress (after) values ('')");
  await database.query('insert into internal.removed_files (file) values (gen_random_uuid()::text)');
  await database.query(
    "insert into internal.development_outbox (channel, recipient, body) values ('email', 'owner@example.com', 'A code')",
  );
  await database.query(
    "insert into realtime.messages (topic, extension, event) values ('lobby', 'broadcast', 'hello')",
  );
  await database.query(`
    with server as (insert into realtime.servers (id) values (gen_random_uuid()) returning id)
    insert into realtime.presences (server_id, channel_id, topic, private, key, ref, payload)
      select id, 1, 'lobby', false, 'somebody', 'one', '{}' from server`);
  const report = await seedReport(database, owner.item.qrId);
  await database.query('insert into internal.operators (user_id) values ($1)', [bystander.account.id]);
  const issuedCode = await issueTagCode(database);
  return {
    owner,
    bystander,
    stranger,
    issuedCode,
    report,
    voidCode: await seedVoid(database, owner),
    batch: await seedBatch(database),
    desk: await seedDesk(database),
  };
}

async function seedVoid(database: TestDatabase, { account }: SeededOwner): Promise<Seed['voidCode']> {
  const { qrId: owned } = await createItem(database, account, { qrId: await issueTagCode(database) });
  const free = await issueTagCode(database);
  await database.query("update public.qr_codes set voided_at = now(), void_reason = 'Stolen' where qr_id in ($1, $2)", [
    owned,
    free,
  ]);
  return { owned, free };
}

async function seedBatch(database: TestDatabase): Promise<string> {
  const [batch] = await database.query<{ id: string }>(
    `insert into public.sticker_batches (label, issued_by, size, recorded) values ('A batch', 'operator', 3, 1)
       returning id`,
  );
  if (batch === undefined) throw new Error('The batch was not stored.');
  await database.query(
    'insert into public.qr_codes (qr_id, issued_at, batch_id, batch_place) values ($1, now(), $2, 0)',
    [createTagCode(), batch.id],
  );
  return batch.id;
}

async function seedOwner(database: TestDatabase, account: TestOwner, other: TestOwner): Promise<SeededOwner> {
  const item = await createItem(database, account, { qrId: await issueTagCode(database) });
  const messageId = await sendMessage(database, item);
  const finderKey = randomBytes(24).toString('base64url');
  const [conversation] = await database.query<{ id: string }>(
    "update public.conversations set finder_key_hash = sha256(convert_to($1, 'UTF8')) where item_id = $2 returning id",
    [finderKey, item.id],
  );
  if (conversation === undefined) throw new Error('The message made no conversation.');
  await database.query('insert into internal.return_keys (conversation_id, key_hash) values ($1, sha256($2))', [
    conversation.id,
    Buffer.from(returnKeyOf(finderKey)),
  ]);
  const [left] = await database.query<{ id: string }>(
    `insert into internal.finder_addresses (conversation_id, address, qr_id, language, expires_at)
       values ($1, 'finder@example.net', $2, 'en', now() + interval '1 day') returning id`,
    [conversation.id, item.qrId],
  );
  if (left === undefined) throw new Error('The finder’s address was not stored.');
  await database.query("insert into internal.blocked_keys (owner_id, key_hash) values ($1, 'a hash')", [account.id]);
  await database.query(
    "insert into internal.moved_keys select id, 'a hash' from public.items where user_id = $1 limit 1",
    [account.id],
  );
  const spareCode = createTagCode();
  await database.query('insert into public.qr_codes (qr_id, owner_id, claimed_at) values ($1, $2, now())', [
    spareCode,
    account.id,
  ]);
  await database.query("insert into public.channel_openings (item_id, owner_id, channel) values ($1, $2, 'whatsapp')", [
    item.id,
    account.id,
  ]);
  const avatar = `${randomBytes(18).toString('base64url')}.webp`;
  await database.query("insert into storage.objects (bucket_id, name, owner) values ('avatars', $1, $2)", [
    avatar,
    account.id,
  ]);
  await database.query('update public.profiles set avatar = $1 where id = $2', [avatar, account.id]);
  const session = account.sessionId;
  await database.query('insert into auth.refresh_tokens (token_hash, session_id, counter) values ($1, $2, 0)', [
    randomBytes(32),
    session,
  ]);
  await database.query(
    `insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, channel, expires_at)
       values ($1, 'recovery', $2, $3, 'email', now() + interval '10 minutes')`,
    [account.id, randomBytes(32), account.email],
  );
  await database.query('insert into internal.stopped_recipients (recipient) values ($1)', [randomBytes(32)]);
  await database.query('insert into internal.unproved_notices (message_id, user_id) values ($1, $2)', [
    messageId,
    account.id,
  ]);
  await database.query(
    `insert into auth.authorization_codes (code_hash, user_id, code_challenge, method, expires_at)
       values ($1, $2, repeat('x', 43), 'otp', now() + interval '5 minutes')`,
    [randomBytes(32), account.id],
  );
  await database.query(
    `insert into auth.oidc_flows (state_hash, browser_hash, provider, redirect_to, session_id, expires_at)
       values ($1, $2, 'example', 'https://lost.example.org/auth/callback', $3, now() + interval '5 minutes')`,
    [randomBytes(32), randomBytes(32), session],
  );
  const factor = randomUUID();
  await database.query(
    "insert into auth.mfa_factors (id, user_id, factor_type, secret, status) values ($1, $2, 'totp', $3, 'verified')",
    [factor, account.id, randomBytes(48)],
  );
  await database.query(
    "insert into auth.mfa_challenges (factor_id, session_id, expires_at) values ($1, $2, now() + interval '5 minutes')",
    [factor, session],
  );
  await database.query('insert into auth.passkeys (user_id, credential_id, public_key) values ($1, $2, $3)', [
    account.id,
    randomBytes(32),
    randomBytes(77),
  ]);
  await database.query('insert into auth.spent_challenges (id, expires_at) values ($1, now())', [randomUUID()]);
  await database.query('insert into auth.recovery_codes (user_id, code_hash) values ($1, $2)', [
    account.id,
    randomBytes(32),
  ]);
  await database.query('insert into auth.code_failures (user_id, in_a_row) values ($1, 1)', [account.id]);
  await database.query('insert into auth.known_devices (user_id, device_hash) values ($1, $2)', [
    account.id,
    randomBytes(32),
  ]);
  const contactToken = randomBytes(16);
  await database.query(
    `with contact as (
       insert into public.second_contacts (owner_id, email, agreed_at) values ($1, 'friend@example.com', now()) returning id
     )
     insert into internal.contact_links (token_hash, contact_id, conversation_id) select $2, id, $3 from contact`,
    [account.id, contactToken, conversation.id],
  );
  await database.query('insert into public.notice_settings (user_id) values ($1)', [account.id]);
  await database.query("insert into public.test_notices (user_id, way) values ($1, 'email')", [account.id]);
  const [subscription] = await database.query<{ id: string }>(
    `insert into public.push_subscriptions (user_id, session_id, device, endpoint, p256dh, auth, server_key)
       values ($1, $2::uuid, 'Firefox on Linux', 'https://push.example.com/' || $2::uuid, 'B' || repeat('p', 86), repeat('a', 22),
         'B' || repeat('s', 86))
       returning id`,
    [account.id, session],
  );
  const [address] = await database.query<{ id: string }>(
    "insert into public.notice_addresses (user_id, kind, name, url) values ($1, 'webhook', 'Home', $2) returning id",
    [account.id, `https://hook.example.com/${account.id}`],
  );
  await database.query(
    `insert into public.measured_labels
       (user_id, name, page, label_width, label_height, columns, rows, margin_left, margin_top, gap_x, gap_y)
       values ($1, 'Freezer', 'letter', 66.7, 25.4, 3, 10, 4.8, 12.7, 3.2, 0)`,
    [account.id],
  );
  const [offer] = await database.query<{ id: string }>(
    'insert into public.item_offers (giver_id, item_id, email) values ($1, $2, $3) returning id',
    [account.id, item.id, other.email],
  );
  const [given] = await database.query<{ id: string }>(
    `insert into public.items (qr_id, user_id, item_type, item_name) values ($1, $2, 'book', 'A book') returning id`,
    [createTagCode(), account.id],
  );
  if (offer === undefined || given === undefined) throw new Error('The offer was not made.');
  await database.query('update public.items set qr_id = null, given_at = now() where id = $1', [given.id]);
  if (address === undefined) throw new Error('The address was not made.');
  if (subscription === undefined) throw new Error('The subscription was not made.');
  return {
    offer: offer.id,
    given: given.id,
    noticeAddress: address.id,
    pushSubscription: subscription.id,
    contactToken,
    account,
    item,
    messageId,
    conversationId: conversation.id,
    finderKey,
    finderAddress: left.id,
    spareCode,
    session,
  };
}

async function seedReport(database: TestDatabase, qrId: string): Promise<Seed['report']> {
  const [row] = await database.query<{ id: string }>(
    `insert into internal.reports (kind, qr_id, owner_then)
       select 'abuse', qr_id, owner_id from public.qr_codes where qr_id = $1 returning id`,
    [qrId],
  );
  if (row === undefined) throw new Error('The report was not made.');
  return { id: row.id, qrId };
}

async function seedDesk(database: TestDatabase): Promise<string> {
  const [desk] = await database.query<{ id: string }>(
    `insert into public.desks (name, place, time_zone, week, position)
      values ('Central station', 'Hall 2', 'UTC', '[[], [], [], [], [], [], []]', 1) returning id`,
  );
  if (desk === undefined) throw new Error('The desk was not stored.');
  return desk.id;
}
