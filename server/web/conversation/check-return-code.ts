import { readReturnCode } from '#domain/contact/return-code.ts';
import type { FinderTexts } from '#domain/finder-language.ts';
import type { ReturnCodes } from '#server/conversations/return-codes.ts';
import type { LimitName } from '#server/limits/limits.ts';
import { type RateLimits, takeAll } from '#server/limits/rate-limits.ts';
import type { Database } from '#server/postgres/database.ts';
import type { OpenConversation } from './open-conversation.ts';
import { ownCodeOfItem } from './own-code-of-item.ts';
import type { WasMoved } from './was-moved.ts';

export interface CheckReturnCodeOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly limits: RateLimits<LimitName>;
  readonly returnCodes: Pick<ReturnCodes, 'keyOf'>;
  readonly openConversation: OpenConversation;
  readonly wasMoved: WasMoved;
}

interface TypedReturnCode {
  readonly code: string;
  readonly typed: string;
  readonly clientAddress: string;
  /** For refusals. */
  readonly texts: FinderTexts;
}

/** The finder's key that a typed code stands for, or why there is none, in words for the finder. */
export type CheckedReturnCode =
  | { readonly finderKey: string }
  | { readonly problem: string; readonly status: 422 }
  | { readonly problem: string; readonly status: 429; readonly retryAfterSeconds: number };

/**
 * Returns a function that checks a return code. Wrong ones are counted by the client's address; the count of an item
 * refuses nothing, but leaves each address fewer attempts while the item is being guessed at
 * ([decision 63](../../../docs/decisions/0063-return-codes.md)).
 */
export function checkReturnCode({ database, limits, returnCodes, openConversation, wasMoved }: CheckReturnCodeOptions) {
  /** Takes an attempt from every count that applies. Returns what to give back for a right code. */
  async function takeAttempt(code: string, address: string) {
    const ofItem = ['return_codes_per_item', code] as const;
    const isGuessed = !(await limits.take(...ofItem)).allowed;
    const taken = await takeAll<LimitName>(limits, [
      ['return_codes_per_address', address],
      ['return_codes_per_item_and_address', `${code} ${address}`],
      ...(isGuessed ? [['return_codes_of_a_guessed_item_per_address', `${code} ${address}`] as const] : []),
    ]);
    const giveBack = async () => {
      await taken.giveBack();
      if (!isGuessed) await limits.giveBack(...ofItem);
    };
    if (taken.retryAfterSeconds !== null) await giveBack();
    return { retryAfterSeconds: taken.retryAfterSeconds, giveBack };
  }

  return async ({ code: scannedCode, typed, clientAddress, texts }: TypedReturnCode): Promise<CheckedReturnCode> => {
    const { conversation, finder } = texts;
    const returnCode = readReturnCode(typed);
    if (returnCode === null) return { problem: conversation.returnCodeLength, status: 422 };
    // One return code and one count for all stickers of an item.
    const code = await ownCodeOfItem(database, scannedCode);
    // Taken before the code is compared, so that concurrent guesses cannot exceed the limits.
    const { retryAfterSeconds, giveBack } = await takeAttempt(code, clientAddress);
    if (retryAfterSeconds !== null) return { problem: finder.tooManyOpenings, status: 429, retryAfterSeconds };
    const finderKey = returnCodes.keyOf(code, returnCode);
    if ((await openConversation(code, [finderKey])) === null) {
      if (await wasMoved(code, [finderKey])) {
        await giveBack();
        return { problem: conversation.movedText, status: 422 };
      }
      return { problem: conversation.opensNothing, status: 422 };
    }
    await giveBack();
    return { finderKey };
  };
}
