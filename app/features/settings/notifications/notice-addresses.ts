import type { DataClient } from '#app/client/data-client.ts';
import type { WithRecentProof } from '#app/verification/recent-proof.tsx';
import type { MessageEvent } from './notice-choices.ts';

/** How many an account has at most. */
export const MOST_ADDRESSES = 5;

export type NoticeAddressKind = 'webhook' | 'ntfy';

/** A webhook or an ntfy topic that is told of messages. Times are ISO 8601. */
export interface NoticeAddress {
  readonly id: string;
  readonly kind: NoticeAddressKind;
  readonly name: string;
  readonly url: string;
  /** Whether it is told the item's name and the text of messages. */
  readonly showsText: boolean;
  /** When it was last sent something; null where it never was. */
  readonly attemptedAt: string | null;
  /** The HTTP status of that attempt; null where there was no response. */
  readonly lastStatus: number | null;
  readonly deliveredAt: string | null;
  /** Since when it has accepted nothing; null where the last attempt succeeded. */
  readonly failingSince: string | null;
  /** When it stopped being told; null where it did not. */
  readonly endedAt: string | null;
  /** Of which messages it is told. */
  readonly gets: Readonly<Record<MessageEvent, boolean>>;
}

/** Returns the caller's addresses, oldest first. Throws the data service's error. */
export async function loadNoticeAddresses(client: DataClient): Promise<NoticeAddress[]> {
  const { data, error } = await client
    .from('notice_addresses')
    .select(
      `id, kind, name, url, showsText:shows_text, attemptedAt:attempted_at, lastStatus:last_status,
        deliveredAt:delivered_at, failingSince:failing_since, endedAt:ended_at,
        has:gets_has, first:gets_first, more:gets_more`,
    )
    .order('created_at')
    .overrideTypes<(Omit<NoticeAddress, 'gets'> & NoticeAddress['gets'])[], { merge: false }>();
  if (error) throw error;
  return data.map(({ has, first, more, ...address }) => ({ ...address, gets: { has, first, more } }));
}

interface NewNoticeAddress {
  readonly kind: NoticeAddressKind;
  readonly name: string;
  readonly url: string;
  readonly token: string;
}

type Added =
  /** The secret of a webhook, which is shown once; null for ntfy. */
  | { readonly kind: 'added'; readonly secret: string | null }
  /** The server does not send there; there are five, or this one already; or something else failed. */
  | { readonly kind: 'refused' | 'alreadyAdded' | 'full' | 'failed' };

/** Adds an address, once the owner has proved who they are: it is told of every message. */
export async function addNoticeAddress(
  client: DataClient,
  { kind, name, url, token }: NewNoticeAddress,
  withRecentProof: WithRecentProof,
): Promise<Added> {
  const { data, error, status } = await withRecentProof(() =>
    client.rpc('add_notice_address', {
      kind_param: kind,
      name_param: name,
      url_param: url,
      token_param: kind === 'ntfy' ? token : '',
    }),
  );
  if (error === null) {
    // The form of the function's response.
    const { secret } = data as { readonly secret: string | null };
    return { kind: 'added', secret };
  }
  if (status === 400) return { kind: 'refused' };
  // PostgreSQL's unique_violation; the other conflict is the number of addresses.
  if (error.code === '23505') return { kind: 'alreadyAdded' };
  return { kind: status === 409 ? 'full' : 'failed' };
}

/** Removes an address. One that is gone already is not an error. Throws the data service's other errors. */
export async function removeNoticeAddress(client: DataClient, id: string): Promise<void> {
  const { error } = await client.from('notice_addresses').delete().eq('id', id);
  if (error) throw error;
}

/** Changes whether an address is told texts. Throws the data service's error. */
export async function showTextAtAddress(client: DataClient, id: string, showsText: boolean): Promise<void> {
  const { error } = await client.from('notice_addresses').update({ shows_text: showsText }).eq('id', id);
  if (error) throw error;
}

/** Changes whether an address is told of messages of a kind. Throws the data service's error. */
export async function chooseForAddress(
  client: DataClient,
  id: string,
  event: MessageEvent,
  isOn: boolean,
): Promise<void> {
  const { error } = await client
    .from('notice_addresses')
    .update({ [`gets_${event}`]: isOn })
    .eq('id', id);
  if (error) throw error;
}

/** Sends a test to an address. Throws the data service's error. */
export async function sendTestNotice(client: DataClient, id: string): Promise<void> {
  const { error } = await client.rpc('send_test_notice', { address_id_param: id });
  if (error) throw error;
}
