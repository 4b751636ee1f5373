import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { acceptToken } from './accept-token.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { issueAuthorizationCode } from './authorization-codes.ts';
import { chooseRedirect, withFragment, withQuery } from './choose-redirect.ts';
import { takeOrRefuse } from './code-allowance.ts';
import { lockLink, type SentToken } from './code-queries.ts';
import { finishVerification, type Verified } from './finish-verification.ts';
import { deviceHashOf } from './known-device.ts';
import { hasProofKey } from './link-token.ts';
import { describeSession } from './open-session.ts';
import { withRefusal, withSession } from './redirect-answers.ts';
import type { AuthenticationMethod } from './session-queries.ts';
import { verifyTypeOf } from './verify-types.ts';

/** What a session is said to have begun with, where its link led to a code (wire contract, section 1.4). */
const METHODS: Partial<Record<SentToken['tokenType'], AuthenticationMethod['method']>> = {
  confirmation: 'email/signup',
  invite: 'invite',
  sign_in: 'magiclink',
  recovery: 'recovery',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
};

type Followed = Verified | { readonly outcome: 'code'; readonly code: string };

/**
 * `GET /verify?token=…&type=…&redirect_to=…`: what a link does, and on to where it leads: with a session in the
 * fragment, with a code in the query for whoever has the verifier, or with what went wrong.
 */
export async function followLink(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer');
  // Programs that look at links before people do ask for the head alone: that spends nothing.
  if (c.req.method === 'HEAD') return c.body(null, 204);
  const { token = '', type = '', redirect_to: requested } = c.req.query();
  const { url } = chooseRedirect(service.config, requested);
  try {
    await takeOrRefuse(service, 'verify_per_address', c.get('clientAddress'));
    const followed = await service.database.transactAsService((transaction) =>
      follow(service, c, transaction, { token, type }),
    );
    if (followed.outcome === 'refused') throw new AuthError(followed.refusal);
    return c.redirect(destinationOf(service, url, type, followed), 303);
  } catch (failure) {
    if (!(failure instanceof AuthError)) throw failure;
    return c.redirect(withRefusal(url, failure, { inQueryToo: hasProofKey(token) }), 303);
  }
}

async function follow(
  service: AuthService,
  c: Context<AppEnv>,
  transaction: Transaction,
  { token, type }: { readonly token: string; readonly type: string },
): Promise<Followed> {
  const verifyType = verifyTypeOf(type);
  if (verifyType === undefined) return { outcome: 'refused', refusal: 'verifyTypeUnknown' };
  const now = service.now();
  const { tokenTypes, linkTypes = tokenTypes } = verifyType;
  const sent = await lockLink(transaction, { token, tokenTypes: linkTypes, now });
  if (sent === undefined) return { outcome: 'refused', refusal: 'hashRefused' };
  const { challenge, tokenType } = sent;
  if (challenge === null) return finishVerification(service, c, transaction, sent);
  const accepted = await acceptToken(service, transaction, sent, deviceHashOf(service, c));
  if (accepted.outcome !== 'signs-in') return accepted;
  const { userId, provedAt = null } = accepted;
  const method = METHODS[tokenType] ?? 'otp';
  return {
    outcome: 'code',
    code: await issueAuthorizationCode(transaction, { userId, challenge, method, provedAt, now }),
  };
}

function destinationOf(
  service: AuthService,
  url: string,
  type: string,
  followed: Exclude<Followed, { outcome: 'refused' }>,
): string {
  if (followed.outcome === 'code') return withQuery(url, { code: followed.code });
  if (followed.outcome === 'message') return withFragment(url, { message: followed.message, sb: '' });
  const session = describeSession(service, followed.user, followed.opened);
  return withSession(url, session, type);
}
