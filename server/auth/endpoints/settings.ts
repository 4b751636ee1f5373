import type { Config } from '#server/config.ts';

/** The external providers that clients of this protocol know by name. */
const PROVIDERS = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'kakao',
  'keycloak',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'slack',
  'slack_oidc',
  'snapchat',
  'spotify',
  'twitch',
  'twitter',
  'workos',
  'zoom',
] as const;

/**
 * `GET /settings`: describes which sign-up and sign-in methods are enabled, with the configured providers beside the
 * protocol's own names. `phone` means accounts without an email address, which this server does not support.
 */
export function describeSettings(config: Config): Record<string, unknown> {
  const configured = config.oidcProviders.map(({ id }) => [id, true] as const);
  return {
    external: {
      ...Object.fromEntries(PROVIDERS.map((provider) => [provider, false])),
      ...Object.fromEntries(configured),
      anonymous_users: config.anonymousSignIns,
      email: true,
      phone: false,
    },
    disable_signup: !config.signUps,
    mailer_autoconfirm: config.emailAutoconfirm,
    phone_autoconfirm: config.phoneAutoconfirm,
    sms_provider: config.sms?.provider ?? '',
    saml_enabled: false,
    passkeys_enabled: true,
  };
}

/** `GET /health`, with the values that clients of this protocol expect. */
export const HEALTH = {
  version: '0.1.0',
  name: 'GoTrue',
  description: 'GoTrue is a user registration and authentication API',
};
