/** Loads what checks passkeys with the first one: it takes memory. */
export function loadWebAuthn() {
  return import('@simplewebauthn/server');
}
