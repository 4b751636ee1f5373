import type { SupabaseClient } from '@supabase/supabase-js';
import type { ContactChannel } from '#domain/contact-links.ts';
import type { Channel, OpenChannels } from '#domain/found-item.ts';

/** A finder chose a way to reach the owner. The time is ISO 8601, to the hour. */
export interface ChannelOpening {
  readonly id: string;
  readonly channel: ContactChannel;
  readonly openedAt: string;
}

/** Newest openings that an item's page shows. */
const SHOWN = 20;

/** Which ways the account leaves open where an item does not say otherwise. Throws the data service's error. */
export async function loadAccountChannels(client: SupabaseClient, userId: string): Promise<OpenChannels> {
  const { data, error } = await client
    .from('profiles')
    .select('whatsapp:whatsapp_enabled, call:call_enabled, email:email_enabled, message:message_enabled')
    .eq('id', userId)
    .maybeSingle()
    .overrideTypes<OpenChannels, { merge: false }>();
  if (error) throw error;
  // An account whose profile is being repaired has the settings that every new one has.
  return data ?? { whatsapp: true, call: true, email: true, message: true };
}

/** Opens or closes one way for one item. Throws the data service's error. */
export async function setItemChannel(
  client: SupabaseClient,
  itemId: string,
  channel: Channel,
  open: boolean,
): Promise<void> {
  const { error } = await client
    .from('items')
    .update({ [`${channel}_enabled`]: open })
    .eq('id', itemId);
  if (error) throw error;
}

/** When finders chose a way to reach the owner, newest first. Throws the data service's error. */
export async function loadOpenings(client: SupabaseClient, itemId: string): Promise<ChannelOpening[]> {
  const { data, error } = await client
    .from('channel_openings')
    .select('id, channel, openedAt:opened_at')
    .eq('item_id', itemId)
    .order('opened_at', { ascending: false })
    .limit(SHOWN)
    .overrideTypes<ChannelOpening[], { merge: false }>();
  if (error) throw error;
  return data;
}
