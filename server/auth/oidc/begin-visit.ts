import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { takeOrRefuse } from '../codes/code-allowance.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import { requireFinishedSession } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseRedirect, withRefusal } from '../wire/redirects.ts';
import { requireWellFormedChallenge } from '../wire/request-body.ts';
import { tieToBrowser } from './browser-cookie.ts';
import { putFlow } from './flow-queries.ts';
import { makeState } from './flow-secrets.ts';
import type { OidcProvider, RequestedFlow } from './provider.ts';

/** `GET /authorize?provider=…`: redirects to the provider, or back to the page with the error. */
export async function beginSignIn(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer');
  const visit = readVisit(service, c);
  try {
    return c.redirect(await beginVisit(service, c, visit, null), 302);
  } catch (failure) {
    if (!(failure instanceof AuthError)) throw failure;
    return c.redirect(withRefusal(visit.redirectTo, failure, { inQueryToo: true }), 303);
  }
}

/**
 * `GET /user/identities/authorize?provider=…`: begins linking an identity to the caller's account. The client requests
 * the URL as JSON and navigates itself, because a redirect could not carry its token.
 */
export async function beginLinking(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requireFinishedSession(service, c);
  await requireRecentProof(service, signedIn);
  const url = await beginVisit(service, c, readVisit(service, c), signedIn.sessionId);
  return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
}

/**
 * Parameters that a client may pass to the provider, such as `prompt` to choose another account. The last two are
 * Microsoft's and Keycloak's.
 */
const PASSED_ON = ['prompt', 'login_hint', 'hd', 'ui_locales', 'acr_values', 'domain_hint', 'kc_idp_hint'];

/** The validated query of an authorization request. */
interface Visit {
  readonly provider: OidcProvider;
  /** The page that the flow ends at. */
  readonly redirectTo: string;
  readonly challenge: string | null;
  readonly requested: RequestedFlow;
}

/** Throws an AuthError for an unknown provider, a malformed proof key or malformed scopes. */
function readVisit({ config, oidc }: Pick<AuthService, 'config' | 'oidc'>, c: Context<AppEnv>): Visit {
  const query = c.req.query();
  const { provider = '', redirect_to: redirectTo, code_challenge = '', code_challenge_method = '' } = query;
  requireWellFormedChallenge({ code_challenge, code_challenge_method });
  return {
    provider: oidc.require(provider),
    redirectTo: chooseRedirect(config, redirectTo).url,
    challenge: code_challenge === '' ? null : code_challenge,
    requested: {
      scopes: readScopes(query.scopes ?? ''),
      passedOn: Object.fromEntries(
        PASSED_ON.flatMap((name) => {
          const value = query[name] ?? '';
          return /^[^\p{Cc}]{1,254}$/u.test(value) ? [[name, value]] : [];
        }),
      ),
    },
  };
}

/** Splits scopes at spaces or commas. The allowed characters are those of RFC 6749, section 3.3. */
function readScopes(text: string): string[] {
  if (!/^[\x20-\x7e]{0,1000}$/.test(text) || /["\\]/.test(text)) throw new AuthError('scopesMalformed');
  return text.split(/[ ,]+/).filter((scope) => scope !== '');
}

/** Records the flow with its browser and, for linking, its session. Returns the provider's authorization URL. */
async function beginVisit(
  service: AuthService,
  c: Context<AppEnv>,
  { provider, redirectTo, challenge, requested }: Visit,
  sessionId: string | null,
): Promise<string> {
  await takeOrRefuse(service, 'auth_requests_per_address', `${c.get('clientAddress')} visits`);
  const state = makeState();
  const target = await provider.begin(service.oidc.flowSecrets(state), requested).catch((failure: unknown) => {
    if (failure instanceof AuthError) noteAway(c, provider, failure);
    throw failure;
  });
  const browser = tieToBrowser(c, service.config);
  const flow = { provider: provider.id, redirectTo, challenge, sessionId };
  await putFlow(service.alone, { state, browser, flow, now: service.now() });
  return target.href;
}

/** Logs the reason for the operator; the visitor's error does not name it. */
export function noteAway(c: Context<AppEnv>, provider: Pick<OidcProvider, 'id'>, failure: AuthError): void {
  c.get('log').warn(
    { err: failure.cause, provider: provider.id, errorCode: failure.code },
    'A sign-in provider failed.',
  );
}
