import type { ApiRole } from '#server/postgres/caller.ts';
import type { CallerName, Seed } from './seed.ts';

export interface FunctionPolicy {
  /** The API roles that may execute it. The tests also call it as each of the others and expect "permission denied". */
  readonly executableBy: readonly ApiRole[];
  /**
   * The account whose rights it uses in place of its caller's. `service_role` bypasses row-level security, and the
   * migrating account may do anything, so such a function is listed here for review.
   */
  readonly actsAs?: 'service_role' | 'the migrating account';
  /** At least one for each role that may execute it. */
  readonly cases?: readonly FunctionCase[];
}

/** A call, its caller and its result. */
export interface FunctionCase {
  readonly as: CallerName;
  /** What the case shows; it is the name of the test. */
  readonly shows: string;
  readonly given: (seed: Seed) => readonly unknown[];
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly kind: 'returns'; readonly value: (seed: Seed) => unknown }
  | { readonly kind: 'refused'; readonly code: string }
  | {
      readonly kind: 'changes';
      readonly query: string;
      readonly values: (seed: Seed) => readonly unknown[];
      readonly to: (seed: Seed) => unknown;
      readonly response: ((seed: Seed) => unknown) | null;
    };

export const ALL_ROLES: readonly ApiRole[] = ['anon', 'authenticated', 'service_role'];
export const SIGNED_IN: readonly ApiRole[] = ['authenticated', 'service_role'];
export const SERVICE: readonly ApiRole[] = ['service_role'];
export const NO_ROLES: readonly ApiRole[] = [];

/** The call returns this, and no row of any table is different afterwards. */
export function returns(value: (seed: Seed) => unknown): Outcome {
  return { kind: 'returns', value };
}

/** The call fails with this SQLSTATE, and no row of any table is different afterwards. */
export function refused(code: string): Outcome {
  return { kind: 'refused', code };
}

/** The query's value before and after the call. The call may also return a value. */
export function changes(
  query: string,
  values: (seed: Seed) => readonly unknown[],
  to: (seed: Seed) => unknown,
  response: ((seed: Seed) => unknown) | null = null,
): Outcome {
  return { kind: 'changes', query, values, to, response };
}
