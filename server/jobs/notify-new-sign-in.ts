import * as v from 'valibot';
import type { Language } from '#domain/language.ts';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { resetUrlAt } from './reset-url.ts';
import { sendFromJob } from './send-from-job.ts';

/** The payload of jobs queued by `internal.enqueue_new_sign_in_notice`. */
export const newSignInPayload = v.object({
  user_id: v.pipe(v.string(), v.uuid()),
  session_id: v.pipe(v.string(), v.uuid()),
});

/**
 * Mails an owner, at the proved address, about a sign-in on a new device. A client without cookies is a new device each
 * time, so an account gets a limited number a day, and none beyond it.
 */
export async function notifyNewSignIn(
  { database, delivery, config, limits }: Pick<Dependencies, 'database' | 'delivery' | 'config' | 'limits'>,
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
  const counter = ['sign_in_emails_per_account', userId] as const;
  if (!(await limits.take(...counter)).allowed) return;
  const { productName: product, publicUrl } = config;
  const content = letterTexts(config.defaultLanguage).accountMail.newSignIn({
    product,
    device: signIn.device,
    at: `${momentIn(config.defaultLanguage).format(signIn.created_at)} UTC`,
    resetUrl: resetUrlAt(publicUrl),
  });
  const letter = composeMail(content, product, config.defaultLanguage);
  try {
    await sendFromJob({ delivery }, { to: signIn.email, ...letter, key: `sign-in:${sessionId}` });
  } catch (error) {
    await limits.giveBack(...counter);
    throw error;
  }
}

function momentIn({ tag }: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
