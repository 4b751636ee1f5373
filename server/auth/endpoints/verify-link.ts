import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from '../auth-service.ts';
import { takeOrRefuse } from '../codes/code-allowance.ts';
import { hasProofKey } from '../codes/one-time-code.ts';
import { lockLink, type SentToken, verifyTypeOf } from '../codes/redeem-code.ts';
import { acceptToken, finishVerification, type Verified } from '../sessions/accept-token.ts';
import { issueAuthorizationCode } from '../sessions/authorization-codes.ts';
import { deviceHashOf } from '../sessions/device-cookies.ts';
import { describeSession } from '../sessions/open-session.ts';
import type { AuthenticationMethod } from '../sessions/session-queries.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseRedirect, withFragment, withQuery, withRefusal, withSession } from '../wire/redirects.ts';

/** The method in `amr` of a session that began with a link and an authorization code. */
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
 * `GET /verify?token=…&type=…&redirect_to=…`: follows a link and redirects with a session in the fragment, an
 * authorization code in the query where the link is bound to a proof key, or an error.
 */
export async function followLink(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer');
  // Mail scanners often send HEAD before a person follows the link; it must not spend the link.
  if (c.req.method === 'HEAD') return c.body(null, 204);
  const { token = '', type = '', redirect_to: requested } = c.req.query();
  const { url } = chooseRedirect(service.config, requested);
  try {
    await takeOrRefuse(service, 'auth_requests_per_address', `${c.get('clientAddress')} attempts`);
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
  const accepted = await acceptToken(service, transaction, sent, {
    deviceHash: deviceHashOf(service, c),
    sessionId: null,
  });
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
