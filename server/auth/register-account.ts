import { randomUUID } from 'node:crypto';
import type { Transaction } from '#server/postgres/statement.ts';
import type { Metadata } from './sign-up-data.ts';
import type { UserRow } from './user-object.ts';
import { insertUser, lockUserByEmail, putEmailIdentity, replaceUnconfirmedUser } from './user-queries.ts';

export type Registered =
  | {
      readonly outcome: 'unconfirmed';
      readonly userId: string;
      /** Somebody had registered the address before, in other words. */
      readonly replacesAnother: boolean;
    }
  | { readonly outcome: 'exists'; readonly user: UserRow };

export interface Registration {
  readonly email: string;
  /** Null for an account that begins without a password. */
  readonly passwordHash: string | null;
  /** The hash of an earlier registration, where its password is the one that is typed now: the same person registers. */
  readonly repeatedHash?: string | null;
  readonly data: Metadata;
}

/**
 * Makes the unconfirmed account of an address, or makes the one that is there what this registration says. They are
 * counted: after several of different people, what proves the address brings nobody's password along (decision 14).
 */
export async function registerAccount(
  transaction: Transaction,
  { email, passwordHash, repeatedHash = null, data }: Registration,
): Promise<Registered> {
  const fresh = randomUUID();
  if (await insertUser(transaction, { id: fresh, email, passwordHash, metadata: asMetadata(fresh, email, data) })) {
    await putEmailIdentity(transaction, fresh, asMetadata(fresh, email, data));
    return { outcome: 'unconfirmed', userId: fresh, replacesAnother: false };
  }
  const user = await lockUserByEmail(transaction, email);
  // Between the two statements it was deleted: the whole call can be made again.
  if (user === undefined) throw new Error('The account went away while it was registered.');
  if (user.confirmed_at !== null) return { outcome: 'exists', user };
  const metadata = asMetadata(user.id, email, data);
  const registrations = await replaceUnconfirmedUser(transaction, {
    id: user.id,
    email,
    passwordHash,
    repeatedHash,
    metadata,
  });
  await putEmailIdentity(transaction, user.id, metadata);
  return { outcome: 'unconfirmed', userId: user.id, replacesAnother: registrations > 1 };
}

function asMetadata(id: string, email: string, data: Metadata): Metadata {
  return { ...data, email, email_verified: false, phone_verified: false, sub: id };
}
