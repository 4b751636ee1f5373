import type { Phrase, PhraseFields } from './phrases.ts';

/** What a finder says with one tap. */
export const TAPS = ['have_it', 'left_it', 'saw_it'] as const;
type Tap = (typeof TAPS)[number];

/** A tap that says little without a place. */
export type PlacedTap = Exclude<Tap, 'have_it'>;

export function isPlacedTap(kind: string): kind is PlacedTap {
  return kind === 'left_it' || kind === 'saw_it';
}

/** Whether a message says something that is none of the finder's first taps. */
export function isPhrase(kind: MessageKind): kind is Phrase {
  return kind !== 'text' && kind !== 'photo' && !(TAPS as readonly string[]).includes(kind);
}

/** `photo` comes with a photo and no tap. `text` says nothing more than its text. */
export type MessageKind = Tap | Phrase | 'photo' | 'text';

/** Degrees (WGS 84), to five decimals, about a meter, if exact, else to two, about a kilometer. */
export interface MessageLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly exact: boolean;
}

type SomePhraseFields = { readonly [Name in keyof PhraseFields]?: PhraseFields[Name] | undefined };

/** What a message says beside its text. Each side reads it in its own language. */
export interface MessageDetails extends SomePhraseFields {
  readonly kind: MessageKind;
  /** One line, as its sender wrote it. */
  readonly place: string | null;
  readonly location: MessageLocation | null;
}

/** The longest place, in code points. */
export const PLACE_LENGTH = 100;

/** The details of a message that has none. */
export const NO_DETAILS: MessageDetails = { kind: 'text', place: null, location: null };

/** The columns of `messages` with its details. */
export interface MessageDetailsRow extends SomePhraseFields {
  readonly kind: MessageKind;
  readonly place: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly location_exact: boolean | null;
}

export function toMessageDetails(row: MessageDetailsRow): MessageDetails {
  const { kind, place, latitude, longitude, moment, time_zone, desk, desk_id, amount, currency } = row;
  const location =
    latitude === null || longitude === null ? null : { latitude, longitude, exact: row.location_exact === true };
  return { kind, place, location, moment, time_zone, desk, desk_id, amount, currency };
}

/** Returns the address of a map that shows the location. */
export function mapLink({ latitude, longitude, exact }: MessageLocation): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${exact ? 17 : 13}/${latitude}/${longitude}`;
}
