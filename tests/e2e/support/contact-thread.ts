import { setTimeout as pause } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import { queryDatabase } from '#tests/support/query-database.ts';
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
  const query = <Row extends object>(text: string, values?: unknown[]) => queryDatabase<Row>(service, text, values);
  await letTimePass({ query }, item, '61 minutes');
  const paths = await pathsTo(service, email, 2);
  // The finder's page says so once the mail has been accepted.
  const contacted = 'select from public.conversations where item_id = $1 and contacted_at is not null';
  while ((await query(contacted, [item.id])).length === 0) await pause(100);
  return paths.find((path) => path !== own) ?? '';
}

/** Waits until this many different pages were sent to an address. */
async function pathsTo({ url }: ServiceProcess, email: string, count: number): Promise<string[]> {
  for (;;) {
    const outbox = await fetch(`${url}/dev/outbox.json`);
    // As the outbox serves it.
    const messages = (await outbox.json()) as { recipient: string; body: string }[];
    const sent = messages.filter(({ recipient }) => recipient === email);
    const paths = new Set(sent.flatMap(({ body }) => body.match(/\/contact\/[\w%-]{22,24}/g) ?? []));
    if (paths.size >= count) return [...paths];
    await pause(100);
  }
}
