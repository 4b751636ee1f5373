import type { AuthMFAEnrollTOTPResponse, SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import type { TestClock } from '#tests/support/test-clock.ts';

/** An authenticator app that was given the secret of one factor. */
export interface Authenticator {
  readonly factorId: string;
  /** Returns the code that the app shows this many 30-second steps after the server's time. */
  code(steps?: number): string;
  /** Six digits that it shows neither now nor soon before or after. */
  wrongCode(): string;
}

/** Begins a factor with the official client; it counts once `verify` has been called with its first code. */
export async function enroll(client: SupabaseClient, clock: TestClock, friendlyName = ''): Promise<Authenticator> {
  const { data, error }: AuthMFAEnrollTOTPResponse = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) throw error;
  const totp = new TOTP({ secret: Secret.fromBase32(data.totp.secret) });
  const code = (steps = 0) => totp.generate({ timestamp: clock.now() + steps * 30_000 });
  return {
    factorId: data.id,
    code,
    wrongCode: () => {
      const right = [-2, -1, 0, 1, 2].map(code);
      return ['000000', '111111', '222222', '333333', '444444', '555555'].find((guess) => !right.includes(guess)) ?? '';
    },
  };
}

/** Sets up a factor; the client's session has shown it. The clock moves on, so that the next code is a fresh one. */
export async function setUpFactor(client: SupabaseClient, clock: TestClock): Promise<Authenticator> {
  const authenticator = await enroll(client, clock);
  await show(client, clock, authenticator);
  return authenticator;
}

/** Shows the factor with its present code, and moves the clock on. */
export async function show(client: SupabaseClient, clock: TestClock, authenticator: Authenticator): Promise<void> {
  const { factorId } = authenticator;
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: authenticator.code() });
  if (error) throw error;
  clock.advance(60_000);
}
