import { errors, type JWTPayload } from 'jose';

/**
 * A token that a known key signed is refused for its claims. The response may name them: whoever sends such a token has
 * it from a holder of the key.
 */
export class ClaimsRefused extends Error {
  /** Claims that the token lacks. */
  readonly missing: readonly string[];
  /** Claims with a value for another service or another time. */
  readonly unexpected: readonly string[];

  constructor({ missing, unexpected }: ComparedClaims, options?: ErrorOptions) {
    const parts = [
      ...(missing.length === 0 ? [] : [`missing ${missing.join(', ')}`]),
      ...(unexpected.length === 0 ? [] : [`unexpected ${unexpected.join(', ')}`]),
    ];
    super(parts.join('; '), options);
    this.name = 'ClaimsRefused';
    this.missing = missing;
    this.unexpected = unexpected;
  }
}

export interface ComparedClaims {
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

/** The claims that a token must have, each with the value that it must have or, for an audience, contain. */
export type RequiredClaims = Readonly<Record<string, string | undefined>>;

/** Returns which of the required claims the token lacks, and which have another value. */
export function compareClaims(payload: JWTPayload, required: RequiredClaims): ComparedClaims {
  const claims = Object.entries(required);
  return {
    missing: claims.filter(([claim]) => payload[claim] === undefined).map(([claim]) => claim),
    unexpected: claims
      .filter(
        ([claim, value]) =>
          value !== undefined && payload[claim] !== undefined && ![payload[claim]].flat().includes(value),
      )
      .map(([claim]) => claim),
  };
}

/** Returns the failure of a verification; if it is one of claims, with every claim that is missing or unexpected. */
export function explainClaims(failure: unknown, required: RequiredClaims): unknown {
  if (!(failure instanceof errors.JWTClaimValidationFailed)) return failure;
  const { missing, unexpected } = compareClaims(failure.payload, required);
  const known = [...missing, ...unexpected].includes(failure.claim);
  const others = known ? unexpected : [...unexpected, failure.claim];
  return new ClaimsRefused({ missing, unexpected: others }, { cause: failure });
}

/** Whether the token's signature was valid, so that this failure says more than that of any other key. */
export function isSignedByKnownKey(failure: unknown): boolean {
  return failure instanceof ClaimsRefused || failure instanceof errors.JWTExpired;
}
