import type { DataClient } from '#app/client/data-client.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import {
  EXTERNAL_CONTACT_METHODS,
  type ExternalContactMethod,
  type OpenContactMethods,
} from '#domain/contact/contact-methods.ts';

/** A finder opened a contact method. The time is ISO 8601, to the hour. */
export interface ContactOpening {
  readonly id: string;
  readonly channel: ExternalContactMethod;
  readonly openedAt: string;
}

/** How many openings an item's page shows, newest first. */
const SHOWN = 20;

/**
 * The account's contact methods, which apply to items without their own settings, and whether the owner has confirmed
 * them.
 */
export interface AccountContactMethods {
  readonly channels: OpenContactMethods;
  readonly areChosen: boolean;
  /** The owner's name from the profile; empty where there is none, and null while the profile is being repaired. */
  readonly fullName: string | null;
  /** The account's address where its mail server refuses emails for good; else null. */
  readonly refusedEmail: string | null;
}

type ContactMethodsRow = OpenContactMethods & {
  readonly chosenAt: string | null;
  readonly fullName: string | null;
  readonly address: string | null;
  readonly refusedAt: string | null;
};

/** Throws the data service's error. */
export async function loadAccountContactMethods(client: DataClient, userId: string): Promise<AccountContactMethods> {
  const { data, error } = await client
    .from('profiles')
    .select(
      'whatsapp:whatsapp_enabled, call:call_enabled, email:email_enabled, message:message_enabled, chosenAt:ways_chosen_at, fullName:full_name, address:email, refusedAt:email_refused_at',
    )
    .eq('id', userId)
    .maybeSingle()
    .overrideTypes<ContactMethodsRow, { merge: false }>();
  if (error) throw error;
  // An account whose profile is being repaired gets the defaults.
  if (data === null)
    return {
      channels: { whatsapp: true, call: true, email: true, message: true },
      areChosen: true,
      fullName: null,
      refusedEmail: null,
    };
  const { chosenAt, fullName, address, refusedAt, ...channels } = data;
  const areChosen = chosenAt !== null || Object.values(channels).includes(false);
  return { channels, areChosen, fullName: fullName ?? '', refusedEmail: refusedAt === null ? null : address };
}

/** Opens all contact methods of the account, or closes all but messages. After `unreachable` it is safe to retry. */
export async function chooseContactMethods(
  client: DataClient,
  userId: string,
  messagesOnly: boolean,
): Promise<'saved' | 'refused' | 'unreachable'> {
  const { error, status } = await client
    .from('profiles')
    .update({
      ways_chosen_at: new Date().toISOString(),
      ...Object.fromEntries(EXTERNAL_CONTACT_METHODS.map((method) => [`${method}_enabled`, !messagesOnly])),
    })
    .eq('id', userId);
  if (error === null) return 'saved';
  return isUnreachable(status) ? 'unreachable' : 'refused';
}

/** Returns when finders opened contact methods, newest first. Throws the data service's error. */
export async function loadOpenings(client: DataClient, itemId: string): Promise<ContactOpening[]> {
  const { data, error } = await client
    .from('channel_openings')
    .select('id, channel, openedAt:opened_at')
    .eq('item_id', itemId)
    .order('opened_at', { ascending: false })
    .limit(SHOWN)
    .overrideTypes<ContactOpening[], { merge: false }>();
  if (error) throw error;
  return data;
}
