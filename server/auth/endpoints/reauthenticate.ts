import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { takeAccountAllowance } from './code-allowance.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { requireRecipientAllowance } from './message-allowance.ts';
import { requireFinishedSession } from './require-session.ts';
import { chooseProvedRecipient } from './send-code.ts';
import { sendOrRefuse } from './send-or-refuse.ts';

/** `GET /reauthenticate`: a code to what the account has proved; typed back, it shows that its owner is there. */
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
