import type { LimitName } from './limits.ts';
import type { Counter } from './rate-limits.ts';

/**
 * The counters of one SMS in the budget of the day, which bounds the operator's bill. Numbers that their account has not
 * proved get half of it at most, so that strangers cannot use up the other half.
 */
export function smsBudget({ isProved }: { readonly isProved: boolean }): readonly Counter<LimitName>[] {
  const ofAll = ['sms_a_day', 'all'] as const;
  return isProved ? [ofAll] : [['sms_a_day_to_unproved_numbers', 'all'], ofAll];
}
