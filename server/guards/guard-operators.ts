import type { Guard } from '#server/rest/guard.ts';
import type { GuardOptions } from './guard-options.ts';

/** Refused before anything about a person was looked at: no role, no second factor, or a request that could be undone. */
const REVEALS_NOTHING = new Set(['42501', 'PT403', 'PT400']);

/**
 * Writes each refused call of an operator to the audit log: a refusal undoes the entry that the call itself made, and
 * still reveals whether there is an account. An entry that cannot be written is a failure in place of the refusal.
 */
export function refusalGuard({ database }: Pick<GuardOptions, 'database'>, what: string, about: string): Guard {
  return {
    async failed({ account, argument }, code) {
      if (account === null || code === null || REVEALS_NOTHING.has(code)) return;
      await database.asService({
        name: 'note_refusal',
        text: 'select internal.note_refusal($1, $2, $3, $4)',
        values: [account, what, argument(about), code],
      });
    },
  };
}
