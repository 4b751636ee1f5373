import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { issueAuthorizationCode } from '../sessions/authorization-codes.ts';
import { describeSession, openSession } from '../sessions/open-session.ts';
import { findSessionOwner } from '../sessions/session-queries.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseRedirect, withQuery, withRefusal, withSession } from '../wire/redirects.ts';
import { noteAway } from './begin-visit.ts';
import { readBrowser } from './browser-cookie.ts';
import { type Flow, takeFlow } from './flow-queries.ts';
import { linkToAccount, type Settling, settleAccount } from './settle-account.ts';

/**
 * `GET /callback`: finishes a provider's flow and redirects to the page it was begun for: with an authorization code
 * where the flow has a proof key, a session in the fragment, or an error.
 */
export async function finishSignIn(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer');
  const response = new URL(c.req.url).searchParams;
  let target = chooseRedirect(service.config, undefined).url;
  try {
    const { flow, state } = await requireFlow(service, c, response);
    target = flow.redirectTo;
    return c.redirect(await finish(service, c, { flow, state, response }), 302);
  } catch (failure) {
    if (!(failure instanceof AuthError)) throw failure;
    return c.redirect(withRefusal(target, failure, { inQueryToo: true }), 303);
  }
}

interface ProviderResponse {
  readonly flow: Flow;
  readonly state: string;
  readonly response: URLSearchParams;
}

async function requireFlow(
  service: AuthService,
  c: Context<AppEnv>,
  response: URLSearchParams,
): Promise<Pick<ProviderResponse, 'flow' | 'state'>> {
  const [state = '', ...others] = response.getAll('state');
  if (state === '') throw new AuthError('visitStateMissing');
  const browser = readBrowser(c, service.config);
  const flow =
    browser === undefined || others.length > 0
      ? undefined
      : await takeFlow(service.alone, { state, browser, now: service.now() });
  if (flow === undefined) throw new AuthError('visitUnknown');
  return { flow, state };
}

async function finish(
  service: AuthService,
  c: Context<AppEnv>,
  { flow, state, response }: ProviderResponse,
): Promise<string> {
  const { redirectTo, challenge, sessionId } = flow;
  const provider = service.oidc.require(flow.provider);
  const provided = await provider.finish(response, service.oidc.flowSecrets(state)).catch((failure: unknown) => {
    if (failure instanceof AuthError) noteAway(c, provider, failure);
    throw failure;
  });

  const settling = { provider, provided, config: service.config, now: new Date(service.now()) };
  const outcome = await service.database.transactAsService(async (transaction) => {
    const { userId, provedAt } =
      sessionId === null
        ? { userId: (await settleAccount(transaction, settling)).id, provedAt: null }
        : await linkToSession(transaction, sessionId, settling);
    const now = service.now();
    if (challenge !== null) {
      return { code: await issueAuthorizationCode(transaction, { userId, challenge, method: 'oauth', provedAt, now }) };
    }
    const begun = await openSession(service, transaction, {
      userId,
      method: 'oauth',
      c,
      provedAt,
      // Any site can lead a browser here.
      remembersDevice: false,
    });
    if (begun === undefined) throw new AuthError('userGone');
    return begun;
  });
  if ('code' in outcome) return withQuery(redirectTo, { code: outcome.code });
  return withSession(redirectTo, describeSession(service, outcome.user, outcome.opened));
}

/** The session that requested the link may have ended while its owner was at the provider. */
async function linkToSession(
  transaction: Transaction,
  sessionId: string,
  settling: Settling,
): Promise<{ readonly userId: string; readonly provedAt: Date }> {
  const owner = await findSessionOwner(transaction, sessionId, settling.now);
  if (owner === undefined) throw new AuthError('sessionGone');
  // Code that ends sessions locks the account first, so the session is checked again behind that lock.
  const { id: userId } = await linkToAccount(transaction, owner.user_id, settling);
  const session = await findSessionOwner(transaction, sessionId, settling.now);
  if (session === undefined) throw new AuthError('sessionGone');
  // Linking an identity proves nothing about the holder of the session.
  return { userId, provedAt: session.proved_at };
}
