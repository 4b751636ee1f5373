import type { Context } from 'hono';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { chooseRedirect } from '#server/auth/choose-redirect.ts';
import { takeOrRefuse } from '#server/auth/code-allowance.ts';
import { requireWellFormedChallenge } from '#server/auth/wire-fields.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { tieToBrowser } from './browser-cookie.ts';
import { putFlow } from './flow-queries.ts';
import { makeState } from './flow-secrets.ts';
import type { ClientWishes, OidcProvider } from './provider.ts';

/** What a client may have the provider do, such as to ask for another account; the last two are Microsoft's and Keycloak's. */
const PASSED_ON = ['prompt', 'login_hint', 'hd', 'ui_locales', 'acr_values', 'domain_hint', 'kc_idp_hint'];

/** What the query of a visit says, checked. */
export interface Visit {
  readonly provider: OidcProvider;
  /** Where the person comes out. */
  readonly redirectTo: string;
  readonly challenge: string | null;
  readonly wishes: ClientWishes;
}

/** Throws an AuthError for a provider that is not offered, and for a proof key or scopes that are none. */
export function readVisit({ config, oidc }: Pick<AuthService, 'config' | 'oidc'>, c: Context<AppEnv>): Visit {
  const query = c.req.query();
  const { provider = '', redirect_to: redirectTo, code_challenge = '', code_challenge_method = '' } = query;
  requireWellFormedChallenge({ code_challenge, code_challenge_method });
  return {
    provider: oidc.require(provider),
    redirectTo: chooseRedirect(config, redirectTo).url,
    challenge: code_challenge === '' ? null : code_challenge,
    wishes: {
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

/** Between blanks or commas, each of the characters that a scope may have (RFC 6749, section 3.3). */
function readScopes(text: string): string[] {
  if (!/^[\x20-\x7e]{0,1000}$/.test(text) || /["\\]/.test(text)) throw new AuthError('scopesMalformed');
  return text.split(/[ ,]+/).filter((scope) => scope !== '');
}

/** Where the browser goes to visit the provider. It is noted which browser, and for which session if for one. */
export async function beginVisit(
  service: AuthService,
  c: Context<AppEnv>,
  { provider, redirectTo, challenge, wishes }: Visit,
  sessionId: string | null,
): Promise<string> {
  await takeOrRefuse(service, 'sign_in_visits_per_address', c.get('clientAddress'));
  const state = makeState();
  const target = await provider.begin(service.oidc.flowSecrets(state), wishes).catch((failure: unknown) => {
    if (failure instanceof AuthError) noteAway(c, provider, failure);
    throw failure;
  });
  const browser = tieToBrowser(c, service.config);
  const flow = { provider: provider.id, redirectTo, challenge, sessionId };
  await putFlow(service.alone, { state, browser, flow, now: service.now() });
  return target.href;
}

/** For the operator: what the visitor is told names no reason. */
export function noteAway(c: Context<AppEnv>, provider: Pick<OidcProvider, 'id'>, failure: AuthError): void {
  c.get('log').warn(
    { err: failure.cause, provider: provider.id, errorCode: failure.code },
    'A sign-in provider failed.',
  );
}
