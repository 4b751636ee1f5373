import { createHash, createHmac } from 'node:crypto';
import { linkInText } from '#domain/link-in-text.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { deriveKey } from '#server/derive-key.ts';

/** 132 bits, short enough for an SMS. */
const TOKEN_LENGTH = 22;
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/** What a link is for: a second contact's own page, or with a conversation that conversation. */
interface LinkTarget {
  readonly contactId: string;
  readonly conversationId: string | null;
}

/**
 * Returns the address of a second contact's page, and makes it valid. It is derived from its target, so that each notice
 * has the same one; the database has its token's hash.
 */
export async function makeContactLink(
  { database, config, secrets }: Pick<Dependencies, 'database' | 'config' | 'secrets'>,
  { contactId, conversationId }: LinkTarget,
): Promise<string> {
  // The secret that stays when REFRESH_TOKEN_SECRET is changed.
  const secret = config.secrets.secondFactorSecret ?? secrets.refreshTokenSecret;
  const token = createHmac('sha256', deriveKey(secret, 'links of second contacts'))
    .update(JSON.stringify([contactId, conversationId]))
    .digest('base64url')
    .slice(0, TOKEN_LENGTH);
  await database.asService({
    name: 'put_contact_link',
    text: `insert into internal.contact_links (token_hash, contact_id, conversation_id) values ($1, $2, $3)
             on conflict (contact_id, conversation_id) do update set token_hash = excluded.token_hash
               where contact_links.token_hash <> excluded.token_hash`,
    values: [hashOfContactToken(token), contactId, conversationId],
  });
  return linkInText(`${config.publicUrl}/contact/${token}`);
}

/** Whether a text can be the token of a link. */
export function isContactToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns what the database stores of a token. */
export function hashOfContactToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
