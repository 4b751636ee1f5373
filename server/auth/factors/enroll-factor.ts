import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as v from 'valibot';
import { CREDENTIAL_NAME_LENGTH } from '#domain/account/credential-limits.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { requirePhoneNumber } from '../accounts/identifier.ts';
import { shownEmail } from '../accounts/user.ts';
import { requireTextable } from '../codes/sms-allowance.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import { lockAccountOf, requireSession, type SignedIn } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { readBody, text } from '../wire/request-body.ts';
import { deleteFactors, type FactorRow, insertFactor, listFactors } from './factor-queries.ts';
import { describeTotp, makeTotpSecret } from './totp.ts';

const MOST_FACTORS = 10;
/** An unfinished enrollment older than this is deleted by the next enrollment. */
const UNFINISHED_LIFE_MS = 5 * 60_000;
const enrollBody = v.object({
  factor_type: text,
  friendly_name: v.nullish(v.pipe(v.string(), v.maxLength(CREDENTIAL_NAME_LENGTH)), ''),
  issuer: v.nullish(v.pipe(v.string(), v.maxLength(CREDENTIAL_NAME_LENGTH)), ''),
  phone: text,
});

/**
 * `POST /factors`: enrolls a second factor, which takes effect once its first code, or a security key, is verified. An account that already
 * has one must have shown it.
 */
export async function enrollFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requireSession(service, c);
  if (signedIn.user.is_anonymous) throw new AuthError('factorForAnonymous');
  const body = await readBody(c, enrollBody);
  const { factor_type: type } = body;
  if (type !== 'totp' && type !== 'phone' && type !== 'webauthn') throw new AuthError('factorTypeUnknown');
  if (type === 'phone' && !(service.config.phoneFactors && service.delivery.hasSms))
    throw new AuthError('phoneFactorsOff');
  const phone = type === 'phone' ? requirePhoneNumber(body.phone.replace(/^(?=\d)/, '+')).slice(1) : null;

  if (phone !== null) requireTextable(service, `+${phone}`);
  await requireRecentProof(service, signedIn);

  const id = randomUUID();
  const name = body.friendly_name.trim();
  const secret = type === 'totp' ? makeTotpSecret() : null;
  await service.database.transactAsService(async (transaction) => {
    await makeRoom(service, transaction, signedIn, { name, phone });
    await insertFactor(transaction, {
      id,
      user_id: signedIn.user.id,
      factor_type: type,
      friendly_name: name,
      secret: secret === null ? null : service.secretBox.seal(secret, id),
      phone,
      created_at: new Date(service.now()),
    });
  });

  if (secret === null) return c.json({ id, type, friendly_name: name, ...(phone !== null && { phone }) });
  const issuer = body.issuer.trim() || service.config.productName;
  const totp = describeTotp(secret, { issuer, label: shownEmail(signedIn.user) ?? signedIn.user.phone ?? id });
  return c.json({ id, type: 'totp', friendly_name: name, totp });
}

/** Throws where the account may not add this factor. Deletes unfinished enrollments that it replaces. */
async function makeRoom(
  service: AuthService,
  transaction: Transaction,
  signedIn: SignedIn,
  { name, phone }: { readonly name: string; readonly phone: string | null },
): Promise<void> {
  // Serializes concurrent enrollments: the second sees the first one's factor.
  await lockAccountOf(service, transaction, signedIn);
  const { user, aal } = signedIn;
  const factors = await listFactors(transaction, user.id);
  const samePhone = (factor: FactorRow) => phone !== null && factor.phone === phone;
  const isVerified = ({ status }: FactorRow) => status === 'verified';
  if (factors.some(isVerified) && aal !== 'aal2') throw new AuthError('factorNeedsFactor');
  if (factors.some((factor) => isVerified(factor) && samePhone(factor))) throw new AuthError('phoneFactorExists');

  const thrownAway = factors.filter(
    (factor) =>
      !isVerified(factor) && (samePhone(factor) || service.now() - factor.created_at.getTime() > UNFINISHED_LIFE_MS),
  );
  await deleteFactors(
    transaction,
    thrownAway.map(({ id }) => id),
  );
  const kept = factors.filter((factor) => !thrownAway.includes(factor));
  if (kept.length >= MOST_FACTORS) throw new AuthError('tooManyFactors');
  if (name !== '' && kept.some((factor) => factor.friendly_name === name)) {
    throw new AuthError('factorNameTaken', { detail: JSON.stringify(name) });
  }
}
