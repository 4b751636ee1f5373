import { countCharacters, MESSAGE_LENGTH } from '#domain/contact/count-characters.ts';
import type { MessageDetails } from '#domain/contact/message-details.ts';
import { PLACE_LENGTH } from '#domain/contact/message-details.ts';
import type { FinderTexts } from '#domain/finder-language.ts';
import type { MessageLimit } from '#server/limits/message-limit.ts';
import { VISITOR } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';

export interface FinderMessage {
  readonly code: string;
  /** Already normalized by `trimMessage`. */
  readonly body: string;
  readonly details: MessageDetails;
  /** The language of the page (BCP 47). */
  readonly language: string;
  /** A retry with the same id is the same message. */
  readonly messageId: string;
  readonly finderKey: string;
  readonly clientAddress: string;
}

export type Sent =
  | { readonly ok: true; readonly accepted: { readonly message_id: string; readonly sent_at: string } }
  | {
      readonly ok: false;
      readonly status: 403 | 404 | 409 | 422 | 429;
      readonly problem: string;
      readonly retryAfterSeconds?: number;
    };

export interface SendMessageOptions {
  readonly database: Pick<Database, 'asCaller'>;
  readonly limit: MessageLimit;
  /** For refusals. */
  readonly texts: FinderTexts;
  /** Whether the page offers contact methods beside the message. */
  readonly hasOtherMethods: boolean;
}

/** Returns why a message cannot be sent, in words for the finder, or null where it can. */
export function messageProblem(
  body: string,
  { kind, place }: MessageDetails,
  { finder, taps }: FinderTexts,
): string | null {
  if (body === '' && kind === 'text') return finder.messageEmpty;
  if (place !== null && countCharacters(place) > PLACE_LENGTH) return taps.placeTooLong(PLACE_LENGTH);
  return countCharacters(body) > MESSAGE_LENGTH ? finder.messageTooLong(MESSAGE_LENGTH) : null;
}

/** Sends the finder's message to the owner, as a visitor and within the limits of the address. */
export async function sendMessage(
  { database, limit, texts, hasOtherMethods }: SendMessageOptions,
  message: FinderMessage,
): Promise<Sent> {
  const { code, body, details, language, messageId, finderKey, clientAddress } = message;
  const { kind, place, location, moment = null, time_zone = null, desk = null, desk_id = null } = details;
  const { retryAfterSeconds, giveBack } = await limit({ code, address: clientAddress, messageId, finderKey });
  if (retryAfterSeconds !== null) {
    const { tooManyMessages, tooManyMessagesOrElse } = texts.finder;
    const problem = hasOtherMethods ? tooManyMessagesOrElse : tooManyMessages;
    return { ok: false, status: 429, problem, retryAfterSeconds };
  }
  try {
    const { rows } = await database.asCaller<{ accepted: { message_id: string; sent_at: string } }>(VISITOR, {
      name: 'send_message_from_page',
      text: `select public.send_message($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as accepted`,
      values: [
        code,
        body,
        messageId,
        finderKey,
        kind,
        place,
        location?.latitude ?? null,
        location?.longitude ?? null,
        location?.exact ?? false,
        moment,
        time_zone,
        desk_id ?? desk,
        language,
      ],
    });
    const accepted = rows[0]?.accepted;
    if (accepted === undefined) throw new Error('send_message returned no row.');
    return { ok: true, accepted };
  } catch (error) {
    // Also after a timeout: what was not stored uses up nothing. But blocked finders are limited like others (PT423).
    if (asPostgresError(error)?.code !== 'PT423') await giveBack();
    return refusalOf(error, texts);
  }
}

/** Converts the function's own errors (database/functions/finder/send_message.sql) to the page's texts; rethrows all others. */
function refusalOf(error: unknown, { common, finder, item }: FinderTexts): Sent {
  switch (asPostgresError(error)?.code) {
    case 'PT404':
      return { ok: false, status: 404, problem: item.placeholderText };
    case 'PT403':
      return { ok: false, status: 403, problem: finder.messagesOff };
    case 'PT423':
      return { ok: false, status: 403, problem: finder.blocked };
    case '22023':
      return { ok: false, status: 422, problem: finder.messageEmpty };
    case 'PT410':
    case '23505':
      return { ok: false, status: 409, problem: common.anErrorOccurred };
    default:
      throw error;
  }
}
