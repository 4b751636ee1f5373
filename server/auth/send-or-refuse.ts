import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { giveBackAccountAllowance } from './code-allowance.ts';
import { type CodeMessage, sendCode } from './send-code.ts';

/**
 * Sends messages that somebody signed in asked for and waits for. Throws `codeNotTexted` or `codeNotMailed` where one
 * was not accepted; they may then ask again at once.
 */
export async function sendOrRefuse(service: AuthService, messages: readonly CodeMessage[]): Promise<void> {
  try {
    await Promise.all(messages.map((message) => sendCode(service, message)));
  } catch (cause) {
    const taken = new Map(messages.map(({ pending }) => [pending.channel, pending]));
    await Promise.all(
      [...taken.values()].map(({ userId, channel }) => giveBackAccountAllowance(service, userId, channel)),
    );
    if (messages.some(({ pending }) => pending.channel === 'sms')) throw new AuthError('codeNotTexted', { cause });
    throw new AuthError('codeNotMailed', { retryAfterSeconds: 5, cause });
  }
}
