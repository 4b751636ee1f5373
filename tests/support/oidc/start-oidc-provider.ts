import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import type { OidcProviderSettings } from '#server/settings/oidc-providers.ts';
import { ownPort } from '../own-port.ts';
import { whenDone } from '../when-done.ts';

/** A person with an account at the provider. */
export interface ProviderAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
  readonly name?: string;
}

/** A real OpenID Connect provider on this machine. */
export interface TestOidcProvider {
  readonly settings: OidcProviderSettings;
  readonly issuer: string;
  /** The key that signs its ID tokens. */
  readonly signingKey: JWK;
  /** The user at the browser, who is signed in without a prompt. Null declines. */
  person: ProviderAccount | null;
  /** Set, it changes every ID token on its way out. */
  tamper: ((idToken: string) => Promise<string>) | undefined;
  /** Set, its token endpoint fails. */
  broken: boolean;
  /** How often its discovery document was requested. */
  readonly asked: () => number;
  stop(): Promise<void>;
  /** Starts again on the same port. */
  start(): Promise<void>;
}

export interface TestOidcProviderOptions {
  readonly id: string;
  readonly redirectUri: string;
  /** Returns the email address only from the UserInfo endpoint, as the standard permits. */
  readonly shortTokens?: boolean;
}

/** Starts it on its own port. It is stopped when the test or the file is done. */
export async function startOidcProvider({
  id,
  redirectUri,
  shortTokens = false,
}: TestOidcProviderOptions): Promise<TestOidcProvider> {
  const port = await ownPort();
  const issuer = `http://localhost:${port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const signingKey = { ...(await exportJWK(privateKey)), kid: 'current', alg: 'RS256', use: 'sig' };
  const settings = {
    id,
    name: `The ${id} provider`,
    issuer,
    clientId: 'reunite',
    clientSecret: 'a secret of both: & %',
  };
  const people = new Map<string, ProviderAccount>();
  let questions = 0;

  const configuration: Configuration = {
    clients: [
      {
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [signingKey] },
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: shortTokens,
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (context, next) => {
    if (context.path === '/.well-known/openid-configuration') questions += 1;
    if (context.path === '/token' && test.broken) {
      context.status = 500;
      return;
    }
    await next();
    const body: unknown = context.body;
    if (typeof body !== 'object' || body === null || !('id_token' in body) || test.tamper === undefined) return;
    context.body = { ...body, id_token: await test.tamper(String(body.id_token)) };
  });

  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const { person } = test;
    if (person !== null) people.set(person.sub, person);
    const result = person === null ? { error: 'access_denied' } : { login: { accountId: person.sub, remember: false } };
    await provider.interactionFinished(request, response, result);
  };
  const handle = provider.callback();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(request, response);
    else void handle(request, response);
  });

  const test: TestOidcProvider = {
    settings,
    issuer,
    signingKey,
    person: null,
    tamper: undefined,
    broken: false,
    asked: () => questions,
    async start() {
      server.listen(port, 'localhost');
      await once(server, 'listening');
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  await test.start();
  whenDone(() => test.stop());
  return test;
}
