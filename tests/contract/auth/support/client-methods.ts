import { createClient } from '@supabase/supabase-js';

/** Parts of the client's own machinery that a program does not call. */
const INTERNAL = [
  'fetch',
  'fetchJwk',
  'logger',
  'linkIdentityIdToken',
  'linkIdentityOAuth',
  'signInWithEthereum',
  'signInWithSolana',
];

/**
 * Returns every method of `supabase.auth` that a program may call, such as `admin.mfa.listFactors`, in the client's
 * version.
 */
export function clientMethods(): string[] {
  const client = createClient('http://localhost', 'key', { auth: { persistSession: false, autoRefreshToken: false } });
  const groups: readonly (readonly [prefix: string, group: object])[] = [
    ['', client.auth],
    ['mfa.', client.auth.mfa],
    ['mfa.webauthn.', client.auth.mfa.webauthn],
    ['mfa.recoveryCodes.', client.auth.mfa.recoveryCodes],
    ['oauth.', client.auth.oauth],
    ['passkey.', client.auth.passkey],
    ['admin.', client.auth.admin],
    ['admin.mfa.', client.auth.admin.mfa],
    ['admin.oauth.', client.auth.admin.oauth],
    ['admin.customProviders.', client.auth.admin.customProviders],
    ['admin.passkey.', client.auth.admin.passkey],
  ];
  return groups.flatMap(([prefix, group]) => namesOf(group).map((name) => prefix + name));
}

function namesOf(group: object): string[] {
  const names = new Set<string>();
  for (let part = group; part !== null && part !== Object.prototype; part = Object.getPrototypeOf(part)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(part))) {
      if (typeof value === 'function' && !name.startsWith('_') && name !== 'constructor') names.add(name);
    }
  }
  return [...names].filter((name) => !INTERNAL.includes(name)).toSorted();
}
