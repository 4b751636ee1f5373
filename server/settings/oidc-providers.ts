import * as v from 'valibot';
import { json } from './values.ts';

const LONGEST_ICON = 4_000;

const providerSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,31}$/), v.notValues(['email', 'phone', 'anonymous_users'])),
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40)),
  issuer: v.pipe(
    v.string(),
    v.check((value) => isIssuer(value)),
  ),
  clientId: v.pipe(v.string(), v.minLength(1)),
  clientSecret: v.pipe(v.string(), v.minLength(1)),
  /** Shown on the button: a file of this site, or a small picture as a data URL. */
  icon: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:\/(?!\/)[\w./-]+|data:image\/(?:svg\+xml|png|webp)[;,].+)$/),
      v.maxLength(LONGEST_ICON),
    ),
  ),
});

const providersSchema = v.pipe(
  v.array(providerSchema),
  v.maxLength(20),
  v.check((providers) => new Set(providers.map(({ id }) => id)).size === providers.length),
);

/** An OpenID Connect provider at which the operator has registered this service. */
export type OidcProviderSettings = v.InferOutput<typeof providerSchema>;

/** `OIDC_PROVIDERS`: a JSON list, or nothing. */
export const oidcProviders = v.optional(
  json(
    providersSchema,
    'must be a JSON list of {"id", "name", "issuer", "clientId", "clientSecret"} and perhaps "icon", as docs/operate/sign-in-providers.md says',
  ),
  '[]',
);

/** Requires TLS, except for the local machine, because the provider's statements are trusted. */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username } = new URL(value);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return (protocol === 'https:' || (protocol === 'http:' && isHere)) && search + hash + username === '';
}
