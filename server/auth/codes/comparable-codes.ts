import type { LimitName } from '#server/limits/limits.ts';
import type { Counter } from '#server/limits/rate-limits.ts';
import type { AuthService } from '../auth-service.ts';

/** The part of a code that decides whether a guess may be compared with it. */
interface GuessedCode {
  readonly userId: string;
  readonly onKnownDevice: boolean;
}

/**
 * Counts a guess for each account that does not know the device. Returns the codes of those that allow it, and what was
 * taken. A client is not told of the others: an account has an address and a number, and a refusal would reveal that
 * both belong together. `named` is the identifier as it was entered, which counts in place of an account where there is
 * none, so that the response takes the same time.
 */
export async function takeComparableCodes<Code extends GuessedCode>(
  { limits }: Pick<AuthService, 'limits'>,
  codes: readonly Code[],
  named: string,
): Promise<{ readonly comparable: readonly Code[]; readonly taken: readonly Counter<LimitName>[] }> {
  const accounts = new Set(codes.flatMap(({ userId, onKnownDevice }) => (onKnownDevice ? [] : [userId])));
  const keys = codes.length === 0 ? [named] : [...accounts];
  const taken: Counter<LimitName>[] = [];
  const refused = new Set<string>();
  for (const key of keys) {
    const counter = ['code_failures_per_account', key] as const;
    if ((await limits.take(...counter)).allowed) taken.push(counter);
    else refused.add(key);
  }
  return { comparable: codes.filter(({ userId, onKnownDevice }) => onKnownDevice || !refused.has(userId)), taken };
}
