import { isMessageKind, type MessageDetails } from '#domain/contact/message-details.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { wordsOf } from '#domain/white-space.ts';

const DEGREES = /^-?\d{1,3}(?:\.\d{1,20})?$/;

/**
 * Reads what a message's form says beside its text. Returns null for what our page never sends.
 *
 * @param hasPhoto - Whether the form contains a photo, as that of a browser without the script may.
 */
export function readMessageDetails(fields: URLSearchParams, hasPhoto: boolean): MessageDetails | null {
  const kind = fields.get('kind') ?? fields.get('sure') ?? (hasPhoto ? 'photo' : 'text');
  const latitude = readDegrees(fields.get('latitude'), 90);
  const longitude = readDegrees(fields.get('longitude'), 180);
  if (!isMessageKind(kind) || latitude === undefined || longitude === undefined) return null;
  if ((latitude === null) !== (longitude === null)) return null;
  const place = wordsOf(trimMessage(fields.get('place') ?? '')).join(' ');
  return {
    kind,
    place: place === '' ? null : place,
    location:
      latitude === null || longitude === null ? null : { latitude, longitude, exact: fields.get('exact') === '1' },
  };
}

/** Returns null where there are none, and undefined for what are none. */
function readDegrees(text: string | null, most: number): number | null | undefined {
  if (text === null || text === '') return null;
  if (!DEGREES.test(text)) return undefined;
  const degrees = Number(text);
  return Math.abs(degrees) <= most ? degrees : undefined;
}
