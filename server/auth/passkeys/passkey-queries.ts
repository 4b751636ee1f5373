import type { Transaction } from '#server/postgres/statement.ts';
import type { KnownCredential } from './judge-credential.ts';

/** A row of auth.passkeys. */
export interface PasskeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  /** A bigint. */
  readonly counter: string;
  readonly friendly_name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const PASSKEY = 'id, user_id, credential_id, public_key, counter, friendly_name, created_at, last_used_at';

/** Lists the passkeys of an account. Lock the account first where a decision depends on the list. */
export async function listPasskeysOf(from: Transaction, userId: string): Promise<PasskeyRow[]> {
  const { rows } = await from.query<PasskeyRow>({
    name: 'auth_passkeys',
    text: `select ${PASSKEY} from auth.passkeys where user_id = $1 order by created_at, id`,
    values: [userId],
  });
  return rows;
}

/** Returns the passkey with a credential id in base64url. */
export async function findPasskey(from: Transaction, credentialId: string): Promise<PasskeyRow | undefined> {
  const { rows } = await from.query<PasskeyRow>({
    name: 'auth_passkey',
    text: `select ${PASSKEY} from auth.passkeys where credential_id = $1`,
    values: [Buffer.from(credentialId, 'base64url')],
  });
  return rows[0];
}

/** Returns the new passkey; undefined where the credential is registered, for whichever account. */
export async function insertPasskey(
  transaction: Transaction,
  passkey: { readonly userId: string; readonly name: string; readonly credential: KnownCredential; readonly at: Date },
): Promise<PasskeyRow | undefined> {
  const { userId, name, credential, at } = passkey;
  const { rows } = await transaction.query<PasskeyRow>({
    name: 'auth_insert_passkey',
    text: `insert into auth.passkeys (user_id, credential_id, public_key, counter, friendly_name, created_at)
             values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing returning ${PASSKEY}`,
    values: [
      userId,
      Buffer.from(credential.id, 'base64url'),
      Buffer.from(credential.publicKey),
      credential.counter,
      name,
      at,
    ],
  });
  return rows[0];
}

export async function renamePasskeyOf(
  from: Transaction,
  { id, userId, name }: { readonly id: string; readonly userId: string; readonly name: string },
): Promise<PasskeyRow | undefined> {
  const { rows } = await from.query<PasskeyRow>({
    name: 'auth_rename_passkey',
    text: `update auth.passkeys set friendly_name = $3 where id = $1 and user_id = $2 returning ${PASSKEY}`,
    values: [id, userId, name],
  });
  return rows[0];
}

/** Stores what the passkey has shown. */
export async function notePasskeyUse(
  transaction: Transaction,
  { id, counter, at }: { readonly id: string; readonly counter: number; readonly at: Date },
): Promise<void> {
  await transaction.query({
    name: 'auth_note_passkey_use',
    text: 'update auth.passkeys set counter = $2, last_used_at = $3 where id = $1',
    values: [id, counter, at],
  });
}

/** Records which passkey began a session, and that it verified its user, which is worth two factors. */
export async function notePasskeyOfSession(
  transaction: Transaction,
  began: { readonly sessionId: string; readonly passkeyId: string; readonly aal: 'aal1' | 'aal2' },
): Promise<void> {
  await transaction.query({
    name: 'auth_note_passkey_of_session',
    text: 'update auth.sessions set passkey_id = $2, aal = $3 where id = $1',
    values: [began.sessionId, began.passkeyId, began.aal],
  });
}

/**
 * Deletes a passkey with the sessions that it began, and returns whether it was there. `keptSession` stays, and proves
 * no more than one factor.
 */
export async function deletePasskey(
  transaction: Transaction,
  { id, userId, keptSession }: { readonly id: string; readonly userId: string; readonly keptSession: string | null },
): Promise<boolean> {
  await transaction.query({
    name: 'auth_keep_session_of_passkey',
    text: "update auth.sessions set passkey_id = null, aal = 'aal1' where id = $1 and passkey_id = $2 and user_id = $3",
    values: [keptSession, id, userId],
  });
  const { rows } = await transaction.query({
    name: 'auth_delete_passkey',
    text: 'delete from auth.passkeys where id = $1 and user_id = $2 returning id',
    values: [id, userId],
  });
  return rows.length > 0;
}

/** A passkey as clients see it. */
export function describePasskey({ id, friendly_name, created_at, last_used_at }: PasskeyRow) {
  return {
    id,
    ...(friendly_name !== '' && { friendly_name }),
    created_at: created_at.toISOString(),
    ...(last_used_at !== null && { last_used_at: last_used_at.toISOString() }),
  };
}
