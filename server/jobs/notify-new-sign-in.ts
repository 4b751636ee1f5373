import * as v from 'valibot';
import { accountMailEn } from '#domain/messages/account-mail-en.ts';
import { composeMail } from '#domain/messages/compose-mail.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from './send-from-job.ts';

/** What `internal.enqueue_new_sign_in_notice` puts into the queue. */
export const newSignInPayload = v.object({
  user_id: v.pipe(v.string(), v.uuid()),
  session_id: v.pipe(v.string(), v.uuid()),
});

/** Tells an owner, at the address that they have proved, of a sign-in on a device that the account had not seen. */
export async function notifyNewSignIn(
  { database, delivery, config }: Pick<Dependencies, 'database' | 'delivery' | 'config'>,
  { user_id: userId, session_id: sessionId }: v.InferOutput<typeof newSignInPayload>,
): Promise<void> {
  const { rows } = await database.asService<{ email: string; device: string; created_at: Date }>({
    name: 'sign_in_to_notify_of',
    text: `select account.email, session.device, session.created_at
             from auth.sessions as session
             join auth.users as account on account.id = session.user_id and account.deleted_at is null
             where session.id = $2 and account.id = $1 and account.email is not null`,
    values: [userId, sessionId],
  });
  const [signIn] = rows;
  if (signIn === undefined) return;
  const { productName: product, publicUrl } = config;
  const content = accountMailEn.newSignIn({
    product,
    device: signIn.device,
    at: `${MOMENT.format(signIn.created_at)} in UTC`,
    resetUrl: `${publicUrl}/auth?mode=reset`,
  });
  await sendFromJob({ delivery }, { to: signIn.email, ...composeMail(content, product), key: `sign-in:${sessionId}` });
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
