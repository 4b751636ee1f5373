import type { DataClient } from '#app/client/data-client.ts';
import { loadNoticeChoices } from '../notifications/notice-choices.ts';

/** What the list says of its pages. A part is null where it could not be loaded. */
export interface SettingsSummary {
  readonly notifications: {
    readonly email: boolean;
    readonly sms: boolean;
    readonly devices: number;
    readonly addresses: number;
  } | null;
  readonly contacts: { readonly agreed: number; readonly invited: number } | null;
}

/** Returns what the list says of its pages. It never throws. */
export async function loadSummary(client: DataClient): Promise<SettingsSummary> {
  const [notifications, contacts] = await Promise.all([
    summarizeNotifications(client).catch(() => null),
    summarizeContacts(client).catch(() => null),
  ]);
  return { notifications, contacts };
}

async function summarizeNotifications(client: DataClient) {
  const [{ email, push, sms }, devices, addresses] = await Promise.all([
    loadNoticeChoices(client),
    countLive(client, 'push_subscriptions'),
    countLive(client, 'notice_addresses'),
  ]);
  return { email, sms, devices: push ? devices : 0, addresses };
}

/** Counts those of the caller that have not ended. */
async function countLive(client: DataClient, table: 'push_subscriptions' | 'notice_addresses'): Promise<number> {
  const { count, error } = await client.from(table).select('id', { count: 'exact', head: true }).is('ended_at', null);
  if (error) throw error;
  return count ?? 0;
}

async function summarizeContacts(client: DataClient) {
  const { data, error } = await client
    .from('second_contacts')
    .select('agreed_at')
    .is('left_at', null)
    .overrideTypes<{ readonly agreed_at: string | null }[], { merge: false }>();
  if (error) throw error;
  const agreed = data.filter(({ agreed_at }) => agreed_at !== null).length;
  return { agreed, invited: data.length - agreed };
}
