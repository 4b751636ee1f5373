import fc from 'fast-check';

const LETTERS = [...'ABCxyz019-_.=!+/'];
const HEADER_CHANGES = [
  { alg: 'none' },
  { alg: 'HS256' },
  { alg: 'ES384' },
  { kid: '' },
  { kid: '../keys' },
  { crit: ['exp'] },
  { b64: false },
  { zip: 'DEF' },
];
const CLAIM_CHANGES = [
  { role: 'service_role' },
  { role: 'anon' },
  { sub: '00000000-0000-4000-8000-000000000000' },
  { aal: 'aal2' },
  { exp: 9_999_999_999 },
  { session_id: '00000000-0000-4000-8000-000000000000' },
  { aud: ['authenticated', 'other'] },
  { extra: 1 },
];

/**
 * Returns about `count` tokens derived from a real one. None is the real one in another encoding, and none is empty,
 * which is handled as a missing token.
 */
export function mutantsOf(real: string, count: number): string[] {
  return fc.sample(mutants(real), count).filter((mutant) => mutant !== '' && !isSameToken(mutant, real));
}

/** All of the work, a few at a time. */
export async function inTurns<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
  atOnce = 10,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < all.length; at += atOnce) {
    results.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))));
  }
  return results;
}

/** Characters and parts changed, and other claims under its signature. */
function mutants(real: string): fc.Arbitrary<string> {
  const [header = '', payload = '', signature = ''] = real.split('.');
  const at = fc.nat({ max: real.length - 1 });
  const letter = fc.constantFrom(...LETTERS);
  const part = fc.constantFrom(header, payload, signature, '');
  const changedClaims = fc.constantFrom(...CLAIM_CHANGES).map((change) => rewrite(payload, change));
  const changedHeader = fc.constantFrom(...HEADER_CHANGES).map((change) => rewrite(header, change));
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(at, letter).map(([i, other]) => real.slice(0, i) + other + real.slice(i + 1)) },
    fc.tuple(at, letter).map(([i, other]) => real.slice(0, i) + other + real.slice(i)),
    at.map((i) => real.slice(0, i) + real.slice(i + 1)),
    fc.tuple(at, at).map(([i, j]) => real.slice(0, Math.min(i, j)) + real.slice(Math.max(i, j) + 1)),
    fc.tuple(part, part, part).map((parts) => parts.join('.')),
    changedClaims.map((claims) => `${header}.${claims}.${signature}`),
    fc
      .tuple(changedHeader, fc.oneof(changedClaims, fc.constant(payload)))
      .map((parts) => [...parts, signature].join('.')),
    fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => `${header}.${payload}.${base64url(bytes)}`),
  );
}

/** Whether two texts decode to the same token: the last letter of a base64url text may have bits that mean nothing. */
function isSameToken(one: string, other: string): boolean {
  const [a, b] = [one, other].map((token) => {
    const end = token.lastIndexOf('.');
    return `${token.slice(0, end)} ${Buffer.from(token.slice(end), 'base64url').toString('hex')}`;
  });
  return a === b;
}

function rewrite(part: string, change: object): string {
  const before = JSON.parse(Buffer.from(part, 'base64url').toString());
  return base64url(Buffer.from(JSON.stringify({ ...before, ...change })));
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
