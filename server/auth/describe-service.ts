/** The external providers that clients of this protocol know by name, none of which is offered here. */
const PROVIDERS = [
  'anonymous_users',
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

/** `GET /settings`: what may be used to sign up and sign in. `phone` is about accounts without an e-mail address. */
export const SETTINGS = {
  external: { ...Object.fromEntries(PROVIDERS.map((provider) => [provider, false])), email: true, phone: false },
  disable_signup: false,
  mailer_autoconfirm: false,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
  passkeys_enabled: false,
};

/** `GET /health`, in the words that clients of this protocol look for (wire contract, section 1.15). */
export const HEALTH = {
  version: '0.1.0',
  name: 'GoTrue',
  description: 'GoTrue is a user registration and authentication API',
};
