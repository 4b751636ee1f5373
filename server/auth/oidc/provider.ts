import * as client from 'openid-client';
import { AuthError } from '#server/auth/auth-error.ts';
import type { OidcProviderSettings } from '#server/settings/oidc-providers.ts';
import type { FlowSecrets } from './flow-secrets.ts';

/** Whom a provider says that somebody is. */
export interface ProvidedIdentity {
  /** The provider's own name for the person, which never changes. */
  readonly subject: string;
  readonly issuer: string;
  readonly email: string | null;
  /** The provider itself has proved the address. */
  readonly emailVerified: boolean;
  readonly name: string | null;
}

/** What a client asks of a provider beyond who somebody is. */
export interface ClientWishes {
  readonly scopes: readonly string[];
  /** Further parameters of the request. */
  readonly passedOn: Readonly<Record<string, string>>;
}

export interface OidcProvider {
  readonly id: string;
  readonly name: string;
  /** Where the browser goes to sign in. Throws `providerAway`. */
  begin(secrets: FlowSecrets, wishes: ClientWishes): Promise<URL>;
  /**
   * Who came back with this answer. Throws `providerDeclined` where the provider says no, `providerAway` where it
   * does not answer, and `providerNotBelieved` for anything that is not a signed statement of this provider, for us,
   * for this visit and for now.
   */
  finish(answer: URLSearchParams, secrets: FlowSecrets): Promise<ProvidedIdentity>;
}

export interface OidcProviderOptions {
  readonly settings: OidcProviderSettings;
  /** Where the provider leads back to. */
  readonly redirectUri: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Longest wait for the provider, in milliseconds. */
  readonly patienceMs?: number;
}

/** What is always asked for: without them nobody would be told who came. */
const SCOPES = ['openid', 'email', 'profile'];
/** How long what a provider says about itself is taken as said, and how long a failure to say it. */
const KNOWN_FOR_MS = 3_600_000;
const AWAY_FOR_MS = 10_000;

/** One provider, asked about itself when somebody wants to sign in with it and never before. */
export function createOidcProvider({
  settings,
  redirectUri,
  now,
  patienceMs = 5_000,
}: OidcProviderOptions): OidcProvider {
  const { id, name, issuer, clientId, clientSecret } = settings;
  let known: { readonly configuration: Promise<client.Configuration>; until: number } | undefined;

  const discover = () => {
    if (known !== undefined && known.until > now()) return known.configuration;
    const configuration = client.discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
      timeout: patienceMs / 1000,
      execute: [
        // Who speaks is proved by the signature too, not only by the connection.
        client.enableNonRepudiationChecks,
        // The configuration allows plain HTTP to this machine alone.
        ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
      ],
    });
    const asked = { configuration, until: now() + KNOWN_FOR_MS };
    known = asked;
    configuration.catch(() => {
      asked.until = now() + AWAY_FOR_MS;
    });
    return configuration;
  };
  const reach = async () => {
    try {
      return await discover();
    } catch (cause) {
      throw new AuthError('providerAway', { detail: name, cause: withoutSecrets(cause) });
    }
  };

  return {
    id,
    name,
    async begin({ state, nonce, verifier }, { scopes, passedOn }) {
      return client.buildAuthorizationUrl(await reach(), {
        ...passedOn,
        scope: [...new Set([...SCOPES, ...scopes])].join(' '),
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async finish(answer, { state, nonce, verifier }) {
      const configuration = await reach();
      try {
        const tokens = await client.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('There is no ID token.');
        // Providers that keep the ID token short tell the address apart (OpenID Connect Core, section 5.4).
        const more =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : {};
        return readClaims({ ...more, ...claims });
      } catch (failure) {
        throw explain(failure, name);
      }
    },
  };
}

/** In the body where the provider takes it there, so that no character of a secret is encoded twice. */
function authentication(clientSecret: string): client.ClientAuth {
  const [inBody, inHeader] = [client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret)];
  return (server, ...rest) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    return (takesBody ? inBody : inHeader)(server, ...rest);
  };
}

function readClaims(claims: Readonly<Record<string, unknown>>): ProvidedIdentity {
  const { sub, iss, email, email_verified: verified, name } = claims;
  if (typeof sub !== 'string' || typeof iss !== 'string') throw new Error('The claims name nobody.');
  return {
    subject: sub,
    issuer: iss,
    email: typeof email === 'string' && email !== '' ? email : null,
    // True and nothing like it: some providers write it as text.
    emailVerified: verified === true,
    name: typeof name === 'string' ? name.slice(0, 200) : null,
  };
}

function explain(failure: unknown, name: string): AuthError {
  const cause = withoutSecrets(failure);
  if (failure instanceof client.AuthorizationResponseError) {
    return new AuthError('providerDeclined', { detail: name, cause });
  }
  return new AuthError(isAway(failure) ? 'providerAway' : 'providerNotBelieved', { detail: name, cause });
}

function isAway(failure: unknown): boolean {
  if (failure instanceof client.ClientError) {
    return failure.code === 'OAUTH_TIMEOUT' || failure.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
  }
  // What `fetch` rejects with where there is no connection.
  return failure instanceof TypeError && failure.message === 'fetch failed';
}

/** The library's errors hold what came over the wire, tokens included: of them only the kind may be kept. */
function withoutSecrets(failure: unknown): Error {
  if (!(failure instanceof Error)) return new Error('The visit to a provider failed.');
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
  return new Error(`${code}: ${failure.message}`);
}
