import { randomUUID } from 'node:crypto';
import type { Config } from '#server/config.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { requireAcceptableAddress } from '../accounts/identifier.ts';
import type { Metadata } from '../accounts/metadata.ts';
import { proveEmail } from '../accounts/prove-identifier.ts';
import { BY_OPERATOR, findRegistrations, insertUser, replaceUnconfirmedUser } from '../accounts/register-account.ts';
import { isBanned, lockAddress, lockUser, lockUserByEmail, type UserRow } from '../accounts/user.ts';
import { spendCodes } from '../codes/spend-codes.ts';
import { AuthError, type Refusal } from '../wire/auth-error.ts';
import { deleteIdentities, findIdentity, linkIdentity, touchIdentity } from './identity-queries.ts';
import type { OidcProvider, ProvidedIdentity } from './provider.ts';

export interface Settling {
  readonly provider: Pick<OidcProvider, 'id' | 'name'>;
  readonly provided: ProvidedIdentity;
  readonly config: Pick<Config, 'emailDomainDenylist' | 'signUps'>;
  readonly now: Date;
}

/**
 * Returns the account that signs in with this identity: the linked one, else the one with an address that both sides
 * have proved, else a new one.
 *
 * Throws for an address that either side has not proved. Otherwise anyone who can make a provider state an address
 * would get that address's account.
 */
export async function settleAccount(transaction: Transaction, settling: Settling): Promise<UserRow> {
  const { provider, provided, now } = settling;
  const linked = await findIdentity(transaction, provider.id, provided.subject);
  if (linked !== undefined) {
    const user = requireUsable(await lockUser(transaction, linked.userId), now);
    await touchIdentity(transaction, { id: linked.id, data: describeIdentity(provided), now });
    return user;
  }

  const email = requireProvedAddress(settling);
  await lockAddress(transaction, email);
  const user = requireUsable(
    (await lockUserByEmail(transaction, email)) ?? (await makeAccount(transaction, email, settling)),
    now,
  );
  await link(transaction, user.id, settling);
  return user;
}

/** Links the identity to an account at its owner's request. The addresses need not be equal. */
export async function linkToAccount(transaction: Transaction, userId: string, settling: Settling): Promise<UserRow> {
  const user = requireUsable(await lockUser(transaction, userId), settling.now);
  await link(transaction, user.id, settling);
  return user;
}

async function link(transaction: Transaction, userId: string, { provider, provided, now }: Settling): Promise<void> {
  const data = describeIdentity(provided);
  const { subject } = provided;
  if (!(await linkIdentity(transaction, { userId, provider: provider.id, subject, data, now }))) {
    throw new AuthError('identityExists');
  }
}

function requireProvedAddress({ provider, provided, config }: Settling): string {
  const refuse = (refusal: Refusal) => new AuthError(refusal, { detail: provider.name });
  if (provided.email === null) throw refuse('emailOfProviderMissing');
  if (!provided.emailVerified) throw refuse('emailOfProviderUnverified');
  return requireAcceptableAddress(provided.email, config.emailDomainDenylist);
}

/**
 * The provider has verified the address, so other registrations of it are deleted. An invited account is kept, because
 * an operator created it.
 */
async function makeAccount(
  transaction: Transaction,
  email: string,
  { provided, config, now }: Settling,
): Promise<UserRow | undefined> {
  const invitation = (await findRegistrations(transaction, email, null)).find((one) => one.invited_at !== null);
  const invited = invitation && requireUsable(await lockUser(transaction, invitation.id), now);
  if (invited === undefined && !config.signUps) throw new AuthError('signUpsOff');
  const id = invited?.id ?? randomUUID();
  const metadata = describePerson(id, email, provided);
  const details = { id, email, passwordHash: null, metadata, phone: null, registeredOn: BY_OPERATOR };
  if (invited === undefined) await insertUser(transaction, details);
  else await replaceUnconfirmedUser(transaction, details);
  await deleteIdentities(transaction, id);
  await spendCodes(transaction, id);
  await proveEmail(transaction, id, email, now);
  return lockUser(transaction, id);
}

function requireUsable(user: UserRow | undefined, now: Date): UserRow {
  if (user === undefined) throw new AuthError('userGone');
  if (isBanned(user, now.getTime())) throw new AuthError('userBanned');
  return user;
}

function describePerson(id: string, email: string, { name }: ProvidedIdentity): Metadata {
  return { ...(name !== null && { full_name: name }), email, email_verified: false, phone_verified: false, sub: id };
}

function describeIdentity({ subject, issuer, email, emailVerified, name }: ProvidedIdentity): Metadata {
  return {
    sub: subject,
    iss: issuer,
    ...(email !== null && { email }),
    email_verified: emailVerified,
    phone_verified: false,
    ...(name !== null && { name, full_name: name }),
  };
}
