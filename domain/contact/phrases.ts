/** What a finder says without typing, beside the taps of the first message. Stored as the kind of a message. */
export const FINDER_PHRASES = ['yes', 'no', 'thanks', 'can_post', 'can_bring', 'here_until', 'handed_in'] as const;

/** What an owner says without typing. */
export const OWNER_PHRASES = [
  'where',
  'please_photo',
  'still_there',
  'can_come',
  'please_leave',
  'please_post',
  'thanks',
  'not_mine',
] as const;

/** What a second contact says for an owner: nothing that only the owner knows or pays. */
export const CONTACT_PHRASES = ['where', 'please_photo', 'still_there', 'thanks', 'can_come', 'please_leave'] as const;

export type FinderPhrase = (typeof FINDER_PHRASES)[number];
export type OwnerPhrase = (typeof OWNER_PHRASES)[number];
export type Phrase = FinderPhrase | OwnerPhrase;

/** Where a finder hands something in. */
export const DESKS = ['desk', 'police', 'driver', 'reception'] as const;
export type Desk = (typeof DESKS)[number];

/** What a phrase says beside its words. All null in a message that is none. */
export interface PhraseFields {
  /** ISO 8601. */
  readonly moment: string | null;
  /** That of the sender when they named the moment. IANA. */
  readonly time_zone: string | null;
  readonly desk: Desk | null;
  /** The operator's, where it was handed in at one. */
  readonly desk_id?: string | null;
  readonly amount: number | null;
  /** ISO 4217. */
  readonly currency: string | null;
}

/** A phrase that names a day and a time, or may. */
export function hasMoment(kind: string): kind is 'can_bring' | 'here_until' | 'can_come' {
  return kind === 'can_bring' || kind === 'here_until' || kind === 'can_come';
}

export function isContactPhrase(kind: string): kind is (typeof CONTACT_PHRASES)[number] {
  return (CONTACT_PHRASES as readonly string[]).includes(kind);
}

export function isDesk(text: string | null): text is Desk {
  return (DESKS as readonly (string | null)[]).includes(text);
}
