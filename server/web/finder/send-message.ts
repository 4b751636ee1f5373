import { countCharacters, MESSAGE_LENGTH } from '#domain/count-characters.ts';
import { en } from '#domain/messages/en.ts';
import type { MessageLimit } from '#server/http/message-limit.ts';
import { VISITOR } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';

export interface FinderMessage {
  readonly code: string;
  /** Already in the form that `trimMessage` gives. */
  readonly body: string;
  /** The same id sent again is the same message. Null lets the database choose. */
  readonly messageId: string | null;
  readonly finderKey: string;
  readonly clientAddress: string;
}

export type Sent =
  | { readonly ok: true; readonly answer: { readonly message_id: string; readonly sent_at: string } }
  | {
      readonly ok: false;
      readonly status: 403 | 404 | 409 | 422 | 429;
      readonly problem: string;
      readonly retryAfterSeconds?: number;
    };

export interface SendMessageOptions {
  readonly database: Pick<Database, 'asCaller'>;
  readonly limit: MessageLimit;
}

/** Why a message can't be sent as it is, in words for the finder; null where it can. */
export function messageProblem(body: string): string | null {
  if (body === '') return en.finder.messageEmpty;
  return countCharacters(body) > MESSAGE_LENGTH ? en.finder.messageTooLong(MESSAGE_LENGTH) : null;
}

/** Gives the finder's message to the owner, as a visitor may, within the limits of the address. */
export async function sendMessage({ database, limit }: SendMessageOptions, message: FinderMessage): Promise<Sent> {
  const { code, body, messageId, finderKey, clientAddress } = message;
  const { retryAfterSeconds, giveBack } = await limit({ code, address: clientAddress, messageId, finderKey });
  if (retryAfterSeconds !== null) {
    return { ok: false, status: 429, problem: en.finder.tooManyMessages, retryAfterSeconds };
  }
  try {
    const { rows } = await database.asCaller<{ answer: { message_id: string; sent_at: string } }>(VISITOR, {
      name: 'send_message_from_page',
      text: 'select public.send_message($1, $2, coalesce($3::uuid, gen_random_uuid()), $4) as answer',
      values: [code, body, messageId, finderKey],
    });
    const answer = rows[0]?.answer;
    if (answer === undefined) throw new Error('send_message returned no row.');
    return { ok: true, answer };
  } catch (error) {
    const refusal = refusalOf(error);
    await giveBack();
    return refusal;
  }
}

/** Seconds: an item that keeps no more messages takes some again when its owner has removed others. */
const A_DAY = 86_400;

/** The function's own refusals (migrations 4 and 23) in the words of the page; anything else is thrown on. */
function refusalOf(error: unknown): Sent {
  switch (asPostgresError(error)?.code) {
    case 'PT404':
      return { ok: false, status: 404, problem: en.item.placeholderText };
    case 'PT403':
      return { ok: false, status: 403, problem: en.finder.messagesOff };
    case '22023':
      return { ok: false, status: 422, problem: en.finder.messageEmpty };
    case 'PT429':
      return { ok: false, status: 429, problem: en.finder.tooManyMessagesToOwner, retryAfterSeconds: A_DAY };
    case '23505':
      return { ok: false, status: 409, problem: en.common.anErrorOccurred };
    default:
      throw error;
  }
}
