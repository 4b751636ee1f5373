import type { Config } from '#server/config.ts';
import { AuthError } from '../wire/auth-error.ts';
import { createFlowSecrets, type DeriveFlowSecrets } from './flow-secrets.ts';
import { createOidcProvider, type OidcProvider } from './provider.ts';

/** The configured sign-in providers, and the secrets of their flows. */
export interface OidcProviders {
  /** Throws `providerUnknown`. */
  require(id: string): OidcProvider;
  readonly flowSecrets: DeriveFlowSecrets;
}

export interface OidcProvidersOptions {
  readonly config: Pick<Config, 'oidcProviders' | 'publicUrl'>;
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createOidcProviders({ config, secret, now }: OidcProvidersOptions): OidcProviders {
  const redirectUri = `${config.publicUrl}/auth/v1/callback`;
  const providers = new Map(
    config.oidcProviders.map((settings) => [settings.id, createOidcProvider({ settings, redirectUri, now })]),
  );
  return {
    require(id) {
      const provider = providers.get(id);
      if (provider === undefined) throw new AuthError('providerUnknown', { detail: JSON.stringify(id) });
      return provider;
    },
    flowSecrets: createFlowSecrets(secret),
  };
}
