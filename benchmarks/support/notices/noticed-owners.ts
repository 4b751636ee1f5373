import { createECDH, type ECDH, randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { BenchmarkDatabase } from '../start-database.ts';
import type { NoticeSink } from './notice-sink.ts';

/** How many receivers tell an owner: none; an email; an email, two browsers, a webhook, and a topic of ntfy. */
export type ReceiverCount = 0 | 1 | 5;

export interface NoticedOwner {
  /** By which the sink knows the owner. */
  readonly name: string;
  /** The tag code of the owner's item. */
  readonly code: string;
  readonly receivers: ReceiverCount;
}

/** Creates owners, each with an item. `pushKey` is the service's private key. */
export async function seedOwners(
  { address }: BenchmarkDatabase,
  { origin }: NoticeSink,
  pushKey: string,
  wanted: readonly ReceiverCount[],
): Promise<readonly NoticedOwner[]> {
  const serverKey = publicKeyOf(pushKey);
  const client = new Client(address);
  await client.connect();
  await client.query('set session_replication_role = replica');
  const owners: NoticedOwner[] = [];
  for (const [at, receivers] of wanted.entries()) {
    const id = randomUUID();
    const name = `owner-${receivers}-${at}`;
    const code = `tgt-${randomBytes(12).toString('base64url')}`;
    // Who is told by no way has a phone number alone.
    await client.query(
      `insert into auth.users (id, email, email_confirmed_at, phone, phone_confirmed_at)
         values ($1, $2, case when $2::text is not null then now() end, $3, case when $3::text is not null then now() end)`,
      [id, receivers === 0 ? null : `${name}@example.com`, receivers === 0 ? `97250${1_000_000 + at}` : null],
    );
    await client.query('insert into public.profiles (id, full_name) values ($1, $2)', [id, 'Dana Levi']);
    await client.query('insert into public.qr_codes (qr_id, owner_id, claimed_at) values ($1, $2, now())', [code, id]);
    await client.query(
      `insert into public.items (qr_id, user_id, item_type, item_name) values ($1, $2, 'keys', 'House keys')`,
      [code, id],
    );
    if (receivers === 5) await addAddresses(client, { id, name, origin, serverKey });
    owners.push({ name, code, receivers });
  }
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  await client.end();
  return owners;
}

interface Addresses {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  readonly serverKey: string;
}

async function addAddresses(client: Client, { id, name, origin, serverKey }: Addresses): Promise<void> {
  for (const browser of ['phone', 'laptop']) {
    await client.query(
      `with session as (insert into auth.sessions (user_id) values ($1) returning id)
       insert into public.push_subscriptions (user_id, session_id, device, endpoint, p256dh, auth, server_key)
         select $1, id, $2, $3, $4, $5, $6 from session`,
      [
        id,
        browser,
        `${origin}/${name}/${browser}`,
        newPair().getPublicKey('base64url'),
        randomBytes(16).toString('base64url'),
        serverKey,
      ],
    );
  }
  for (const way of ['webhook', 'ntfy']) {
    await client.query("insert into public.notice_addresses (user_id, kind, name, url) values ($1, $2, 'Home', $3)", [
      id,
      way,
      way === 'ntfy' ? `${origin}/${name}` : `${origin}/${name}/webhook`,
    ]);
  }
}

function newPair(): ECDH {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair;
}

function publicKeyOf(privateKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return pair.getPublicKey('base64url');
}
