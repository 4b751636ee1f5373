import type { ContactChannel } from '#domain/contact-links.ts';
import type { OpenChannels } from '#domain/found-item.ts';
import type { AppClient } from './app-client.ts';

/** A finder chose a way to reach the owner. The time is ISO 8601, to the hour. */
export interface ChannelOpening {
  readonly id: string;
  readonly channel: ContactChannel;
  readonly openedAt: string;
}

/** Newest openings that an item's page shows. */
const SHOWN = 20;

/** Which ways the account leaves open where an item does not say otherwise, and whether its owner has chosen them. */
export interface AccountWays {
  readonly channels: OpenChannels;
  readonly areChosen: boolean;
  /** The owner's, as the profile has it; empty where it has none. */
  readonly fullName: string;
}

type WaysRow = OpenChannels & { readonly chosenAt: string | null; readonly fullName: string | null };

/** Throws the data service's error. */
export async function loadAccountWays(client: AppClient, userId: string): Promise<AccountWays> {
  const { data, error } = await client
    .from('profiles')
    .select(
      'whatsapp:whatsapp_enabled, call:call_enabled, email:email_enabled, message:message_enabled, chosenAt:ways_chosen_at, fullName:full_name',
    )
    .eq('id', userId)
    .maybeSingle()
    .overrideTypes<WaysRow, { merge: false }>();
  if (error) throw error;
  // An account whose profile is being repaired has the settings that every new one has.
  if (data === null)
    return { channels: { whatsapp: true, call: true, email: true, message: true }, areChosen: true, fullName: '' };
  const { chosenAt, fullName, ...channels } = data;
  const areChosen = chosenAt !== null || Object.values(channels).includes(false);
  return { channels, areChosen, fullName: fullName ?? '' };
}

/** Keeps every way as it is, or closes all but messages, for the whole account. Throws the data service's error. */
export async function chooseWays(client: AppClient, userId: string, messagesOnly: boolean): Promise<void> {
  const { error } = await client
    .from('profiles')
    .update({
      ways_chosen_at: new Date().toISOString(),
      ...(messagesOnly && { whatsapp_enabled: false, call_enabled: false, email_enabled: false }),
    })
    .eq('id', userId);
  if (error) throw error;
}

/** When finders chose a way to reach the owner, newest first. Throws the data service's error. */
export async function loadOpenings(client: AppClient, itemId: string): Promise<ChannelOpening[]> {
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
