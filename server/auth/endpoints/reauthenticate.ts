import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { AuthService } from '../auth-service.ts';
import { takeAccountAllowance } from '../codes/code-allowance.ts';
import { type PendingCode, putCode } from '../codes/one-time-code.ts';
import { chooseProvedRecipient, sendOrRefuse } from '../codes/send-code.ts';
import { requireRecipientAllowance } from '../codes/sms-allowance.ts';
import { requireFinishedSession } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseRedirect } from '../wire/redirects.ts';

/**
 * `GET /reauthenticate`: sends a code to a proved recipient of the account. The code shows that the owner is present.
 */
export async function reauthenticate(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user } = await requireFinishedSession(service, c);
  const destination = chooseProvedRecipient(service, user);
  if (destination === null) throw new AuthError('reauthenticationUnreachable');
  await takeAccountAllowance(service, user.id, destination.channel);
  await requireRecipientAllowance(service, { ...destination, isProved: true });
  const pending: PendingCode = { userId: user.id, tokenType: 'reauthentication', ...destination };
  const secrets = await service.database.transactAsService((transaction) => putCode(service, transaction, pending));
  await sendOrRefuse(service, [{ pending, secrets, redirect: chooseRedirect(service.config, undefined) }]);
  return c.json({});
}
