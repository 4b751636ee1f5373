import * as client from 'openid-client';
import { firstName } from '#domain/item/first-name.ts';
import type { OidcProviderSettings } from '#server/settings/oidc-providers.ts';
import { AuthError } from '../wire/auth-error.ts';
import type { FlowSecrets } from './flow-secrets.ts';

/** A person as identified by a provider. */
export interface ProvidedIdentity {
  /** The provider's permanent identifier of the person. */
  readonly subject: string;
  readonly issuer: string;
  readonly email: string | null;
  /** Whether the provider itself has verified the address. */
  readonly emailVerified: boolean;
  readonly name: string | null;
}

/** What a client requests from a provider beyond the identity. */
export interface RequestedFlow {
  readonly scopes: readonly string[];
  /** Further parameters of the authorization request. */
  readonly passedOn: Readonly<Record<string, string>>;
}

export interface OidcProvider {
  readonly id: string;
  readonly name: string;
  /** Returns the authorization URL. Throws `providerAway`. */
  begin(secrets: FlowSecrets, requested: RequestedFlow): Promise<URL>;
  /**
   * Returns the person who signed in. Throws `providerDeclined` where the provider refused, `providerAway` where it is
   * unreachable, and `providerNotBelieved` for anything but a signed ID token of this provider, for this client, this
   * flow and the current time.
   */
  finish(response: URLSearchParams, secrets: FlowSecrets): Promise<ProvidedIdentity>;
}

export interface OidcProviderOptions {
  readonly settings: OidcProviderSettings;
  /** The callback URL registered with the provider. */
  readonly redirectUri: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Timeout of a request to the provider, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Always requested: without them the response does not identify the person. */
const SCOPES = ['openid', 'email', 'profile'];
/** How long a provider's discovery document is cached, and how long a failure to fetch it, in milliseconds. */
const KNOWN_FOR_MS = 3_600_000;
const AWAY_FOR_MS = 10_000;

/** Creates the client of one provider. The discovery document is fetched when it is first needed. */
export function createOidcProvider({
  settings,
  redirectUri,
  now,
  timeoutMs = 5_000,
}: OidcProviderOptions): OidcProvider {
  const { id, name, issuer, clientId, clientSecret } = settings;
  let known: { readonly configuration: Promise<client.Configuration>; until: number } | undefined;

  const discover = () => {
    if (known !== undefined && known.until > now()) return known.configuration;
    const configuration = client.discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
      timeout: timeoutMs / 1000,
      execute: [
        // Verify the ID token's signature, in addition to the TLS connection.
        client.enableNonRepudiationChecks,
        // The configuration allows plain HTTP only to the local machine.
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
    async finish(response, { state, nonce, verifier }) {
      const configuration = await reach();
      try {
        const tokens = await client.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${response}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('There is no ID token.');
        // Some providers leave the address out of the ID token and return it from the UserInfo endpoint (OpenID Connect
        // Core, section 5.4).
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

/**
 * Sends the client secret in the body where the provider supports that, because the Basic header requires
 * form-encoding, which providers implement differently.
 */
function authentication(clientSecret: string): client.ClientAuth {
  const [inBody, inHeader] = [client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret)];
  return (server, ...rest) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    return (takesBody ? inBody : inHeader)(server, ...rest);
  };
}

function readClaims(claims: Readonly<Record<string, unknown>>): ProvidedIdentity {
  const { sub, iss, email, email_verified: verified, name } = claims;
  if (typeof sub !== 'string' || typeof iss !== 'string') throw new Error('The claims have no subject or issuer.');
  return {
    subject: sub,
    issuer: iss,
    email: typeof email === 'string' && email !== '' ? email : null,
    // The string "true", which some providers send, is not accepted.
    emailVerified: verified === true,
    // Many providers send the address of an account without a profile.
    name: typeof name === 'string' && firstName(name) !== null ? name.slice(0, 200) : null,
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
  // `fetch` rejects with this error where there is no connection.
  return failure instanceof TypeError && failure.message === 'fetch failed';
}

/** The library's errors contain responses, tokens included. Only the code and the message are kept. */
function withoutSecrets(failure: unknown): Error {
  if (!(failure instanceof Error)) return new Error('The visit to a provider failed.');
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
  return new Error(`${code}: ${failure.message}`);
}
