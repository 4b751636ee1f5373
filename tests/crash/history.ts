import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Client } from 'pg';
import { expect } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { JOBS_AT_HAND } from '#tests/support/jobs-at-hand.ts';

/** What a service has acknowledged to the writers of a test. */
export interface Acknowledged {
  /** Addresses whose sign-up was acknowledged, confirmed or not. */
  readonly signUps: string[];
  readonly accounts: { email: string; password: string; qrId: string }[];
  readonly items: { qrId: string; owner: string }[];
  readonly claims: { qrId: string; owner: string }[];
  readonly messages: { id: string; qrId: string; body: string }[];
  /** The code that all writers claim until one of them has a response. */
  contested: string;
}

export function emptyHistory(): Acknowledged {
  return { signUps: [], accounts: [], items: [], claims: [], messages: [], contested: newTagCode() };
}

/** The service, and the publishable key of its clients. */
export interface Target {
  readonly url: string;
  readonly key: string;
}

/**
 * Writes as one owner and one finder after the other until `isStopped`, whatever becomes of the service meanwhile. Calls
 * `onRefused` with what failed.
 */
export async function keepWriting(
  target: Target,
  acknowledged: Acknowledged,
  isStopped: () => boolean,
  onRefused: (error: unknown) => void = () => undefined,
): Promise<void> {
  while (!isStopped()) {
    await write(target, acknowledged, onRefused).catch((error: unknown) => {
      // An assertion is another matter than a service that is away.
      if (error instanceof Error && error.name === 'AssertionError') throw error;
      onRefused(error);
    });
    // A writer that finds no server must not spin.
    await pause(20);
  }
}

/** One owner's sign-up and claim, and one finder's message, as from a browser. Each acknowledged step is recorded. */
async function write(target: Target, acknowledged: Acknowledged, onRefused: (error: unknown) => void): Promise<void> {
  const client = newClient(target);
  const qrId = newTagCode();
  const name = randomBytes(8).toString('hex');
  const account = { email: `${name}@example.com`, password: `password ${name}`, qrId };

  must(await client.auth.signUp({ ...account, options: { data: { full_name: `Owner ${name}`, qr_id: qrId } } }));
  acknowledged.signUps.push(account.email);
  const token = await codeSentTo(target.url, account.email);
  const { data } = must(await client.auth.verifyOtp({ email: account.email, token, type: 'signup' }));
  const owner = data.user?.id;
  if (owner === undefined) return;
  acknowledged.accounts.push(account);

  const { contested } = acknowledged;
  const { error: refused } = await client.rpc('register_qr_code', { qr_id_param: contested, user_id_param: owner });
  if (refused === null) acknowledged.claims.push({ qrId: contested, owner });
  if (acknowledged.contested === contested) acknowledged.contested = newTagCode();

  const tagged = newTagCode();
  must(
    await client
      .from('items')
      .insert({ qr_id: tagged, user_id: owner, item_type: 'keys', item_name: `Keys of ${name}`, description: null })
      .select()
      .single(),
  );
  acknowledged.items.push({ qrId: tagged, owner });

  const message = { id: randomUUID(), qrId: tagged, body: `Found by ${name}` };
  // A finder on a bad connection retries with the same id until it succeeds.
  for (;;) {
    const { error, status } = await newClient(target).rpc('send_message', {
      qr_id_param: message.qrId,
      body_param: message.body,
      message_id_param: message.id,
    });
    if (error === null) break;
    onRefused(error);
    // Only a service that is away may refuse it: the item was acknowledged.
    expect(status === 0 || status >= 500, `A message to an acknowledged item: ${JSON.stringify(error)}`).toBe(true);
    await pause(50);
  }
  acknowledged.messages.push(message);
}

/** Returns the code as its owner reads it. It was sent before the sign-up's response. */
async function codeSentTo(url: string, email: string): Promise<string> {
  const response = await fetch(`${url}/dev/outbox/code?email=${encodeURIComponent(email)}`);
  const { code } = (await response.json()) as { code: string };
  return code;
}

/** Checks what the owners can see again, through the service. */
export async function ownersSeeEverything(
  target: Target,
  { accounts, items, claims, messages }: Acknowledged,
): Promise<void> {
  const itemsOf = Map.groupBy(items, ({ owner }) => owner);
  const claimsOf = Map.groupBy(claims, ({ owner }) => owner);
  for (const { email, password, qrId } of accounts) {
    const client = newClient(target);
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    expect(error, `${email} signs in`).toBeNull();
    const owner = data.user?.id ?? '';
    const codes = (must(await client.from('items').select('qr_id')).data ?? []).map(({ qr_id }) => qr_id);
    const tagged = (itemsOf.get(owner) ?? []).map((item) => item.qrId);
    expect(codes).toEqual(expect.arrayContaining([qrId, ...tagged]));
    const claimed = (must(await client.from('qr_codes').select('qr_id')).data ?? []).map(({ qr_id }) => qr_id);
    expect(claimed).toEqual(expect.arrayContaining((claimsOf.get(owner) ?? []).map((claim) => claim.qrId)));
    const kept = must(await client.from('messages').select('id,body')).data ?? [];
    for (const { id, body } of messages.filter((message) => tagged.includes(message.qrId))) {
      expect(kept.filter((message) => message.body === body)).toEqual([{ id, body }]);
    }
  }
}

/**
 * Checks in the database that no account, item or message is duplicated, acknowledged or not, that no code was
 * acknowledged to two owners, and that each message has one email.
 */
export async function nothingIsThereTwice(
  address: PostgresAddress,
  { signUps, claims, messages }: Acknowledged,
): Promise<void> {
  expect(claims.length).toBe(new Set(claims.map(({ qrId }) => qrId)).size);
  const database = new Client(address);
  await database.connect();
  try {
    const count = async (text: string) => Number((await database.query<{ count: string }>(text)).rows[0]?.count);
    // The job queue also survived; it is done when no message waits for its email.
    await until(async () => (await count(`select count(*) ${JOBS_AT_HAND}`)) === 0);
    const known = await database.query<{ email: string }>(
      'select coalesce(email, claimed_email) as email from auth.users',
    );
    const emails = new Set(known.rows.map(({ email }) => email));
    expect(signUps.filter((email) => !emails.has(email))).toEqual([]);
    expect(await count('select count(*) from auth.users where id not in (select id from public.profiles)')).toBe(0);
    expect(
      await count('select count(*) - count(distinct coalesce(email, claimed_email)) as count from auth.users'),
    ).toBe(0);
    expect(await count('select count(*) - count(distinct body) as count from public.messages')).toBe(0);
    expect(await count('select count(*) from public.messages')).toBeGreaterThanOrEqual(messages.length);
    expect(
      await count(`select count(*) from public.messages as message where 1 <> (
        select count(*) from internal.development_outbox as mail
          where mail.channel = 'email' and mail.body like '%' || message.body || '%')`),
    ).toBe(0);
  } finally {
    await database.end();
  }
}

export function newClient({ url, key }: Target): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Each writer has its own address, as in reality; limits apply per address.
    global: {
      headers: { 'x-forwarded-for': `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1` },
    },
  });
}

function newTagCode(): string {
  return `tgt-${randomBytes(12).toString('base64url')}`;
}

export function must<Result extends { error: unknown }>(result: Result): Result {
  if (result.error !== null) throw result.error;
  return result;
}

/** Resolves once the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come to pass in 90 s.');
    await pause(10);
  }
}
