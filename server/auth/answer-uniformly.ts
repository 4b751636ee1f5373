import { setTimeout as pause } from 'node:timers/promises';
import type { AuthService } from './auth-service.ts';

/** Something to send, decided upon, and not yet begun; null where there is nothing to send. */
export type Sending = (() => Promise<void>) | null;

/**
 * For answers that must not tell, in text or in time, whether an address has an account. `decide` looks at the
 * database and its failures are answered; what it returns is sent while the answer waits for its fixed moment, and a
 * sending that takes longer goes on behind it. One that fails is in the log alone: no later answer may show it either.
 */
export async function answerUniformly(
  { uniformAnswerMs, log }: Pick<AuthService, 'uniformAnswerMs' | 'log'>,
  decide: () => Promise<Sending>,
): Promise<void> {
  const moment = pause(uniformAnswerMs);
  const send = await decide();
  if (send !== null) {
    void send().catch((cause: unknown) => log.error({ err: cause }, 'A one-time code could not be sent.'));
  }
  await moment;
}
