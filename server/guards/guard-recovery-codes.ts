import { type LimitName, ofAccountOrDevice } from '#server/limits/limits.ts';
import type { Counter } from '#server/limits/rate-limits.ts';
import type { Guard, GuardedCall } from '#server/rest/guard.ts';
import { refuse } from './count-calls.ts';
import type { GuardOptions } from './guard-options.ts';

/** A visitor has no account and thus no recovery codes to guess. */
export function recoveryCodeGuard({ database, limits }: GuardOptions): Guard {
  const counterOf = async (account: string, session: string | null): Promise<Counter<LimitName>> => {
    const { rows } = await database.asService<{ readonly device: string | null }>({
      name: 'known_device_of_session',
      text: 'select internal.known_device_of_session($1::uuid) as device',
      values: [session],
    });
    return ['second_factor_failures', `recovery ${ofAccountOrDevice(account, rows[0]?.device ?? null)}`];
  };
  const taken = new WeakMap<GuardedCall, Counter<LimitName>>();
  const giveBack = async (call: GuardedCall) => {
    const counter = taken.get(call);
    if (counter !== undefined) await limits.giveBack(...counter);
  };
  return {
    // Taken before the code is compared, so that concurrent guesses cannot exceed the limit.
    async before(call) {
      if (call.account === null) return;
      const counter = await counterOf(call.account, call.session);
      const response = await limits.take(...counter);
      if (!response.allowed) refuse(response.retryAfterSeconds);
      taken.set(call, counter);
    },
    succeeded: giveBack,
    // 22023: the code is not valid.
    async failed(call, code) {
      // Without PostgreSQL's response the code may have been compared.
      if (call.account === null || code === null) return;
      if (code !== '22023') return giveBack(call);
      await database.asService({
        name: 'record_recovery_code_failure',
        text: "select internal.record_failure('recovery_code_failed', $1)",
        values: [call.account],
      });
    },
  };
}
