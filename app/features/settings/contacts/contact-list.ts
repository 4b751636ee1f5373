import type { DataClient } from '#app/client/data-client.ts';

/** A person whom the owner named to be notified of messages that the owner does not see. */
export interface SecondContact {
  readonly id: string;
  /** The email address or the phone number (E.164). */
  readonly address: string;
  /** Whether they are notified about all items; otherwise about those that are marked as lost. */
  readonly forAll: boolean;
  readonly state: 'waiting' | 'agreed' | 'left';
}

/** How many an account has; those who left do not count. */
export const MOST_CONTACTS = 3;

/** Returns the caller's second contacts, oldest first. Throws the data service's error. */
export async function loadSecondContacts(client: DataClient): Promise<SecondContact[]> {
  const { data, error } = await client
    .from('second_contacts')
    .select('id, email, phone, forAll:for_all, agreedAt:agreed_at, leftAt:left_at')
    .order('created_at')
    .overrideTypes<
      (Pick<SecondContact, 'id' | 'forAll'> & Record<'email' | 'phone' | 'agreedAt' | 'leftAt', string | null>)[],
      { merge: false }
    >();
  if (error) throw error;
  return data.map(({ id, email, phone, forAll, agreedAt, leftAt }) => ({
    id,
    address: email ?? phone ?? '',
    forAll,
    state: leftAt !== null ? 'left' : agreedAt !== null ? 'agreed' : 'waiting',
  }));
}

/** Returns an address as it is stored, or null where the text is neither an email address nor a number. */
export function readContactAddress(typed: string): { email: string } | { phone: string } | null {
  const text = typed.trim();
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(text)) return { email: text };
  const digits = text.replaceAll(/[\s().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? { phone: digits } : null;
}

/** Why a contact was not invited, or `invited`. */
export type InvitationOutcome = 'invited' | 'known' | 'not-texted' | 'too-many' | 'failed';

/** Invites a second contact. Throws the error of a proof that is too old. */
export async function inviteSecondContact(
  client: DataClient,
  address: { readonly email?: string; readonly phone?: string },
): Promise<InvitationOutcome> {
  const { error, status } = await client.rpc('invite_second_contact', {
    email_param: address.email ?? null,
    phone_param: address.phone ?? null,
  });
  if (error === null) return 'invited';
  if (error.code === 'PT403') throw error;
  if (status === 409) return 'known';
  if (status === 422) return 'not-texted';
  return status === 429 ? 'too-many' : 'failed';
}

/** Changes about which items a contact is notified. Throws the data service's error. */
export async function setContactForAll(client: DataClient, id: string, forAll: boolean): Promise<void> {
  const { error } = await client.from('second_contacts').update({ for_all: forAll }).eq('id', id);
  if (error) throw error;
}

/** Removes a contact. One that is gone already is not an error. Throws the data service's other errors. */
export async function removeSecondContact(client: DataClient, id: string): Promise<void> {
  const { error } = await client.from('second_contacts').delete().eq('id', id);
  if (error) throw error;
}
