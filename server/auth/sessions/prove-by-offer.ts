import { type MailedOffer, offerIdOf, offerLinks } from '#server/delivery/email/offer-links.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { proveEmail } from '../accounts/prove-identifier.ts';
import { isBanned, lockAddress, lockUser } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { deleteCodes } from '../codes/one-time-code.ts';
import type { Accepted } from './accept-token.ts';
import { findSessionOwner } from './session-queries.ts';

/** Whether a token is one of a link in an email about an offer. */
export function isOfOffer(token: string): boolean {
  const id = offerIdOf(token);
  return id !== null && isUuid(id);
}

/**
 * Proves the address that an open offer was mailed to, for the account of the session that the link is followed in, if
 * that account says that the address is its own. Opens no session, and spends nothing: repeating it is safe.
 */
export async function proveByOffer(
  service: Pick<AuthService, 'config' | 'secrets' | 'now'>,
  transaction: Transaction,
  token: string,
  sessionId: string | null,
): Promise<Extract<Accepted, { readonly outcome: 'message' | 'refused' }>> {
  const refused = { outcome: 'refused', refusal: 'hashRefused' } as const;
  const at = new Date(service.now());
  const offer = await findOpenOffer(transaction, offerIdOf(token), at);
  if (offer === undefined || !offerLinks(service).isOf(offer, token)) return refused;
  const { email } = offer;
  // Lock order: the address before the account, as in `lockAddress`.
  await lockAddress(transaction, email);
  const owner = sessionId === null ? undefined : await findSessionOwner(transaction, sessionId, at);
  if (owner === undefined) return { outcome: 'refused', refusal: 'linkNeedsSession' };
  const user = await lockUser(transaction, owner.user_id);
  if (user === undefined || isBanned(user, service.now())) return refused;
  if (user.email !== email) {
    if (user.claimed_email !== email) return refused;
    await deleteCodes(transaction, user.id, ['address_proof', 'address_disowning']);
    if (!(await proveEmail(transaction, user.id, email, at))) return refused;
  }
  return { outcome: 'message', message: 'Email address confirmed' };
}

async function findOpenOffer(transaction: Transaction, id: string | null, at: Date): Promise<MailedOffer | undefined> {
  const { rows } = await transaction.query<MailedOffer>({
    name: 'auth_offer_of_link',
    text: `select id, email from public.item_offers
             where id = $1 and accepted_at is null and declined_at is null and expires_at > $2`,
    values: [id, at],
  });
  return rows[0];
}
