import { createHash, createHmac } from 'node:crypto';
import { makeReturnCode } from '#domain/contact/return-code.ts';
import type { Config } from '#server/config.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Secrets } from '#server/start/secrets.ts';

/** A conversation, and the tag code of its item. */
export interface ConversationOfTag {
  readonly conversationId: string;
  readonly code: string;
}

/** What opens a conversation from any browser. */
export interface ReturnPass {
  readonly returnCode: string;
  /** The finder's key that the code stands for, with 256 bits. The private link contains it. */
  readonly finderKey: string;
}

export type ReturnCodes = ReturnType<typeof returnCodes>;

export interface ReturnCodesOptions {
  readonly config: { readonly secrets: Pick<Config['secrets'], 'secondFactorSecret'> };
  readonly secrets: Pick<Secrets, 'refreshTokenSecret'>;
  readonly database: Pick<Database, 'asService'>;
}

/**
 * The return codes of conversations. A code is derived from the conversation's id, and a finder's key from the code, both
 * with the service's secret: the code can be shown at each visit, to both sides, and is stored nowhere. The database has
 * the hash of the key, from which nothing can be guessed without the secret
 * ([decision 63](../../docs/decisions/0063-return-codes.md)).
 */
export function returnCodes({ config, secrets, database }: ReturnCodesOptions) {
  // The secret that stays when REFRESH_TOKEN_SECRET is changed.
  const secret = config.secrets.secondFactorSecret ?? secrets.refreshTokenSecret;
  const codeKey = deriveKey(secret, 'return codes');
  const finderKeyKey = deriveKey(secret, 'finder keys of return codes');

  const codeOf = (conversationId: string): string =>
    makeReturnCode(createHmac('sha256', codeKey).update(conversationId).digest());

  const keyOf = (code: string, returnCode: string): string =>
    createHmac('sha256', finderKeyKey).update(`${returnCode} ${code}`).digest('base64url');

  return {
    /** Returns the finder's key that a return code stands for at a tag code, whether or not such a conversation exists. */
    keyOf,

    /** Returns the passes of conversations in their order, and makes them valid. */
    async passesOf(conversations: readonly ConversationOfTag[]): Promise<readonly ReturnPass[]> {
      const passes = conversations.map(({ conversationId, code }) => {
        const returnCode = codeOf(conversationId);
        return { returnCode, finderKey: keyOf(code, returnCode) };
      });
      await database.asService({
        name: 'set_return_keys',
        text: 'select internal.set_return_keys($1::uuid[], $2::bytea[])',
        values: [
          conversations.map(({ conversationId }) => conversationId),
          passes.map(({ finderKey }) => hashOfKey(finderKey)),
        ],
      });
      return passes;
    },

    /** Returns the pass of one conversation. It is made valid unless the hash, in hexadecimal, is the stored one. */
    async passOf(conversation: ConversationOfTag, storedHash: string | null): Promise<ReturnPass> {
      const returnCode = codeOf(conversation.conversationId);
      const pass = { returnCode, finderKey: keyOf(conversation.code, returnCode) };
      if (hashOfKey(pass.finderKey).toString('hex') !== storedHash) await this.passesOf([conversation]);
      return pass;
    },
  };
}

function hashOfKey(finderKey: string): Buffer {
  return createHash('sha256').update(finderKey).digest();
}
