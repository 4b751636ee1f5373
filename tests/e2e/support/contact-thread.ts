import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import { Client } from 'pg';
import { readPostmasterFile } from '#server/postgres/embedded/postmaster-file.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { letTimePass } from '#tests/support/unseen-notices.ts';

interface Watched {
  /** Signed in as the owner. */
  readonly client: SupabaseClient;
  /** The code of the owner's item. */
  readonly code: string;
  readonly finderKey: string;
  readonly body: string;
}

/**
 * The owner names a second contact, who agrees. A finder writes, and the owner does not see it for an hour. Returns the
 * path of the contact's page of that conversation.
 */
export async function reachSecondContact(
  service: ServiceProcess,
  { client, code, finderKey, body }: Watched,
): Promise<string> {
  const email = `friend-${crypto.randomUUID()}@example.com`;
  const invitation = { email_param: email, phone_param: null, for_all_param: true };
  await client.rpc('invite_second_contact', invitation).throwOnError();
  const [own = ''] = await pathsTo(service, email, 1);
  const agreed = await fetch(`${service.url}${own}/agree`, {
    method: 'POST',
    headers: { Origin: service.url, 'Content-Type': 'application/x-www-form-urlencoded' },
    redirect: 'manual',
  });
  if (agreed.status !== 303) throw new Error(`Agreeing got ${agreed.status}.`);
  const message = { qr_id_param: code, body_param: body, finder_key_param: finderKey };
  await client.rpc('send_message', message).throwOnError();
  const { data: item } = await client.from('items').select('id').eq('qr_id', code).single().throwOnError();
  await letAnHourPass(service, item);
  const paths = await pathsTo(service, email, 2);
  return paths.find((path) => path !== own) ?? '';
}

/** Waits until this many different pages were sent to an address. */
async function pathsTo({ url }: ServiceProcess, email: string, count: number): Promise<string[]> {
  for (;;) {
    const outbox = await fetch(`${url}/dev/outbox.json`);
    // As the outbox serves it.
    const messages = (await outbox.json()) as { recipient: string; body: string }[];
    const sent = messages.filter(({ recipient }) => recipient === email);
    const paths = new Set(sent.flatMap(({ body }) => body.match(/\/contact\/[\w-]{22}(?![\w-])/g) ?? []));
    if (paths.size >= count) return [...paths];
    await pause(100);
  }
}

/** In the database that the server started, as its superuser. */
async function letAnHourPass({ dataDirectory }: ServiceProcess, item: { readonly id: string }): Promise<void> {
  const data = join(dataDirectory, 'postgres');
  const running = await readPostmasterFile(data);
  if (running === null) throw new Error('The embedded PostgreSQL does not run.');
  const connection = new Client({
    host: running.socketFolder === '' ? '127.0.0.1' : running.socketFolder,
    port: Number(running.port),
    user: 'reunite',
    password: (await readFile(join(data, 'reunite-password'), 'utf8')).trim(),
    database: 'reunite',
  });
  await connection.connect();
  try {
    const query = async (text: string, values?: unknown[]) => (await connection.query(text, values)).rows;
    await letTimePass({ query }, item, '61 minutes');
  } finally {
    await connection.end();
  }
}
