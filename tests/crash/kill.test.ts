import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/secrets.ts';
import { JOBS_AT_HAND } from '#tests/support/jobs-at-hand.ts';
import { repeats } from '#tests/support/long-runs.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { killWithChildren } from '#tests/support/processes.ts';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';

/** Every second one also kills PostgreSQL. */
const KILLS = repeats(2, 20);
const WRITERS = repeats(3, 6);

interface Acknowledged {
  /** Addresses whose sign-up was acknowledged, confirmed or not. */
  readonly signUps: string[];
  readonly accounts: { email: string; password: string; qrId: string }[];
  readonly items: { qrId: string; owner: string }[];
  readonly messages: { id: string; qrId: string; body: string }[];
}

const folder = await preparedFolder();

test(
  `nothing acknowledged is lost or duplicated over ${KILLS} kills`,
  async () => {
    const port = await ownPort();
    const start = () =>
      startServiceProcess({ dataDirectory: folder, port, environment: { TRUSTED_PROXIES: '1', LOG_LEVEL: 'error' } });
    let service = await start();
    onTestFinished(() => void service.end('SIGKILL'));
    const { publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: folder }));
    const acknowledged: Acknowledged = { signUps: [], accounts: [], items: [], messages: [] };
    let stopped = false;

    const writers = Array.from({ length: WRITERS }, async () => {
      while (!stopped) {
        await write(service.url, publishableKey, acknowledged).catch(notAnAcknowledgement);
        // A writer that finds no server must not spin.
        await pause(20);
      }
    });

    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = acknowledged.messages.length;
      // In the middle of work, not in a pause: each kill waits until something was acknowledged since the last one.
      await until(() => acknowledged.messages.length > before + randomInt(3));
      await killService(service, { andPostgres: kill % 2 === 1 });
      service = await start();
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    }
    stopped = true;
    await Promise.all(writers);

    expect(acknowledged.accounts.length).toBeGreaterThan(0);
    expect(acknowledged.items.length).toBeGreaterThan(0);
    await ownersSeeEverything(service.url, publishableKey, acknowledged);
    await nothingIsThereTwice(acknowledged);
    expect(await service.end('SIGTERM')).toBe(0);
  },
  60_000 + KILLS * 60_000,
);

/** One owner's sign-up and one finder's message, as from a browser. Each acknowledged step is recorded. */
async function write(url: string, key: string, acknowledged: Acknowledged): Promise<void> {
  const client = newClient(url, key);
  const qrId = newTagCode();
  const name = randomBytes(8).toString('hex');
  const account = { email: `${name}@example.com`, password: `password ${name}`, qrId };

  must(await client.auth.signUp({ ...account, options: { data: { full_name: `Owner ${name}`, qr_id: qrId } } }));
  acknowledged.signUps.push(account.email);
  const token = await codeSentTo(url, account.email);
  const { data } = await client.auth.verifyOtp({ email: account.email, token, type: 'signup' });
  const owner = data.user?.id;
  if (owner === undefined) return;
  acknowledged.accounts.push(account);

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
    const { error } = await newClient(url, key).rpc('send_message', {
      qr_id_param: message.qrId,
      body_param: message.body,
      message_id_param: message.id,
    });
    if (error === null) break;
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

/** What the owners can see again, through the service. */
async function ownersSeeEverything(
  url: string,
  key: string,
  { accounts, items, messages }: Acknowledged,
): Promise<void> {
  const itemsOf = Map.groupBy(items, ({ owner }) => owner);
  for (const { email, password, qrId } of accounts) {
    const client = newClient(url, key);
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    expect(error, `${email} signs in`).toBeNull();
    const codes = (must(await client.from('items').select('qr_id')).data ?? []).map(({ qr_id }) => qr_id);
    const tagged = (itemsOf.get(data.user?.id ?? '') ?? []).map((item) => item.qrId);
    expect(codes).toEqual(expect.arrayContaining([qrId, ...tagged]));
    const kept = must(await client.from('messages').select('id,body')).data ?? [];
    for (const { id, body } of messages.filter((message) => tagged.includes(message.qrId))) {
      expect(kept.filter((message) => message.body === body)).toEqual([{ id, body }]);
    }
  }
}

/** Checks that no account, item or message is duplicated, acknowledged or not, and that each message has one email. */
async function nothingIsThereTwice({ signUps, messages }: Acknowledged): Promise<void> {
  const database = new Client({
    host: join(folder, 'postgres'),
    user: 'reunite',
    password: (await readFile(join(folder, 'postgres/reunite-password'), 'utf8')).trim(),
    database: 'reunite',
  });
  await database.connect();
  try {
    const count = async (text: string) => Number((await database.query<{ count: string }>(text)).rows[0]?.count);
    // The job queue also survived the kills; it is done when no message waits for its email.
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

/** SIGKILL for the server, and every second time for its PostgreSQL too, postmaster and children. */
async function killService(service: ServiceProcess, { andPostgres }: { andPostgres: boolean }): Promise<void> {
  const postmaster = andPostgres ? await postmasterPid() : null;
  const ended = service.end('SIGKILL');
  if (postmaster !== null) killWithChildren(postmaster);
  await ended;
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
}

function newClient(url: string, key: string): SupabaseClient {
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

function must<Result extends { error: unknown }>(result: Result): Result {
  if (result.error !== null) throw result.error;
  return result;
}

/** What fails while the server is away was not acknowledged; an assertion is another matter. */
function notAnAcknowledgement(error: unknown): void {
  if (error instanceof Error && error.name === 'AssertionError') throw error;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come to pass in 90 s.');
    await pause(10);
  }
}
