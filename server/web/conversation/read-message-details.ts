import { instantOf } from '#domain/contact/local-moment.ts';
import { type MessageDetails, type MessageKind, TAPS } from '#domain/contact/message-details.ts';
import { FINDER_PHRASES, hasMoment, isDesk, OWNER_PHRASES } from '#domain/contact/phrases.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { wordsOf } from '#domain/white-space.ts';
import { isUuid } from '#server/is-uuid.ts';

const KINDS: readonly string[] = ['text', 'photo', ...TAPS, ...FINDER_PHRASES, ...OWNER_PHRASES];
const DEGREES = /^-?\d{1,3}(?:\.\d{1,20})?$/;

/**
 * Reads what a message's form says beside its text. Returns null for what our page never sends. A moment that is no day and
 * time, or has no time zone, is left out.
 *
 * @param hasPhoto - Whether the form contains a photo, as that of a browser without the script may.
 */
export function readMessageDetails(fields: URLSearchParams, hasPhoto: boolean): MessageDetails | null {
  const kind = fields.get('kind') ?? fields.get('sure') ?? (hasPhoto ? 'photo' : 'text');
  const latitude = readDegrees(fields.get('latitude'), 90);
  const longitude = readDegrees(fields.get('longitude'), 180);
  if (!isMessageKind(kind) || latitude === undefined || longitude === undefined) return null;
  if ((latitude === null) !== (longitude === null)) return null;
  const desk = fields.get('desk');
  const deskId = desk !== null && isUuid(desk) ? desk : null;
  if ((kind === 'handed_in') !== (isDesk(desk) || deskId !== null)) return null;
  return {
    kind,
    place: readPlace(fields),
    ...(isDesk(desk) && { desk }),
    ...(deskId !== null && { desk: 'desk', desk_id: deskId.toLowerCase() }),
    ...(hasMoment(kind) && readMoment(fields)),
    location:
      latitude === null || longitude === null ? null : { latitude, longitude, exact: fields.get('exact') === '1' },
  };
}

/** Returns the place as one line; null where none was typed. */
export function readPlace(fields: URLSearchParams): string | null {
  const place = wordsOf(trimMessage(fields.get('place') ?? '')).join(' ');
  return place === '' ? null : place;
}

/** Returns the day and time of a form, with the time zone that it names; both null without either. */
export function readMoment(fields: URLSearchParams): Required<Pick<MessageDetails, 'moment' | 'time_zone'>> {
  const zone = fields.get('time_zone') ?? '';
  const moment = instantOf(fields.get('moment') ?? '', zone);
  return { moment, time_zone: moment === null ? null : zone };
}

/** Whether a form named a moment that could not be read, or lacks the one that its phrase is about. */
export function lacksMoment(fields: URLSearchParams, { kind, moment = null }: MessageDetails): boolean {
  return hasMoment(kind) && moment === null && (kind === 'here_until' || (fields.get('moment') ?? '') !== '');
}

function isMessageKind(text: string): text is MessageKind {
  return KINDS.includes(text);
}

/** Returns null for an empty field, and undefined for a text that is not a number of at most `most` degrees. */
function readDegrees(text: string | null, most: number): number | null | undefined {
  if (text === null || text === '') return null;
  if (!DEGREES.test(text)) return undefined;
  const degrees = Number(text);
  return Math.abs(degrees) <= most ? degrees : undefined;
}
