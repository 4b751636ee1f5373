import { SESSION_DAYS } from '#domain/retention.ts';

/** Returns when a session ends that is used at `at` (milliseconds since the epoch) and not again. */
export function endOfSession(at: number): Date {
  return new Date(at + SESSION_DAYS * 86_400_000);
}
