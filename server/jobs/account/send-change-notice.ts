import * as v from 'valibot';
import { ACCOUNT_CHANGE_KINDS, ACCOUNT_CHANGES } from '#domain/account/account-changes.ts';
import type { Language } from '#domain/language.ts';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { notMeLinks } from '#server/delivery/email/not-me-links.ts';
import { isTextable } from '#server/delivery/sms/may-be-texted.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { notifyReceivers } from '#server/jobs/owner/receivers/notify-receivers.ts';
import { sendFromJob, sendSmsFromJob } from '#server/jobs/sending/send-from-job.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import { smsBudget } from '#server/limits/limits.ts';
import { takeAll } from '#server/limits/rate-limits.ts';

/** The payload of jobs queued by `internal.enqueue_change_notice`. */
export const changeNoticePayload = v.object({
  id: v.pipe(v.string(), v.uuid()),
  kind: v.picklist(ACCOUNT_CHANGE_KINDS),
  user_id: v.pipe(v.string(), v.uuid()),
  /** The session that made the change; null where it is unknown. */
  session_id: v.nullable(v.pipe(v.string(), v.uuid())),
  at: v.string(),
  /** Whom or what it concerns, or why. Of a changed address or number, the former one. */
  about: v.nullable(v.string()),
});

export type ChangeNotice = v.InferOutput<typeof changeNoticePayload>;
interface AccountToNotify {
  readonly email: string | null;
  /** A proved number, E.164 without the plus. */
  readonly phone: string | null;
  /** It came within 30 days, to an account that was there. */
  readonly email_is_new: boolean;
  /** The address or number that this change replaced was itself a change within 30 days. */
  readonly former_is_new: boolean;
  readonly language: string | null;
}

type Needs = Pick<Dependencies, 'database' | 'delivery' | 'config' | 'secrets' | 'limits'>;

/**
 * Notifies an owner of a change of their account: by email where an address is proved, else by SMS, of those that matter.
 * Without a mail server, browsers and notice addresses are told of these, too.
 * A changed address or number is announced at the former one, and an account's first address to its number. Beside an
 * address that came within 30 days the number is told, too: a thief may have added it. The profile shows all of them.
 *
 * Throws while the limit of SMS to owners is used up, so that the job is run again later.
 */
export async function sendChangeNotice(needs: Needs, notice: ChangeNotice): Promise<void> {
  const { config, delivery, limits } = needs;
  const { id, kind, user_id: userId, session_id: sessionId, at, about } = notice;
  const { rows } = await needs.database.asService<AccountToNotify>({
    name: 'account_to_notify',
    text: `select email, case when phone_confirmed_at is not null then phone end as phone,
               coalesce(
                 email_confirmed_at > greatest(now() - interval '30 days', created_at + interval '1 day'), false
               ) as email_is_new,
               exists (
                 select from auth.audit_log
                   where user_id = $1 and event = $2 and at < $3 and at > $3 - interval '30 days'
                     and at > account.created_at + interval '1 day'
               ) as former_is_new,
               (select language from public.profiles where id = account.id) as language
             from auth.users as account where id = $1 and deleted_at is null`,
    values: [userId, kind, at],
  });
  const [account] = rows;
  if (account === undefined) return;
  const formerEmail = kind === 'email_changed' ? about : null;
  const formerPhone = kind === 'phone_changed' ? about : null;
  const isFirstEmail = kind === 'email_changed' && about === null;
  const email = isFirstEmail || !config.hasMail ? null : (formerEmail ?? account.email);
  const phone = formerPhone ?? account.phone;
  const { productName: product } = config;
  const changedAt = new Date(at);
  const link = notMeLinks(needs).linkFor({
    userId,
    sessionId,
    changedAt: changedAt.getTime(),
    // What was changed twice in 30 days may have been a thief's in between, who gets no link that brings it back.
    formerEmail: account.former_is_new ? null : formerEmail,
    // The reader of an address may not have had the number.
    formerPhone: email === null && !account.former_is_new ? formerPhone : null,
  });
  const { language, texts } = await ownerLetters(config, account.language);
  const key = `change:${id}`;
  if (email !== null) {
    const content = texts.changeNotice({
      product,
      change: kind,
      about: formerEmail === null && formerPhone === null ? about : null,
      at: `${momentIn(language).format(changedAt)} UTC`,
      notMeUrl: link,
    });
    await sendFromJob({ delivery }, { to: email, ...composeMail(content, product, language), key });
    if (formerEmail !== null || !account.email_is_new) return;
  }
  if (!config.hasMail && ACCOUNT_CHANGES[kind].byText) await notifyReceivers(needs.database, notice);
  if (phone === null || !delivery.hasSms || !ACCOUNT_CHANGES[kind].byText) return;
  const number = `+${phone}`;
  const counter = ['account_notices_per_account', `${userId} SMS`] as const;
  if (!isTextable({ config }, number) || !(await limits.take(...counter)).allowed) return;
  const { retryAfterSeconds } = await takeAll(limits, smsBudget({ isProved: true }));
  if (retryAfterSeconds !== null) {
    await limits.giveBack(...counter);
    throw new Error('The limit of SMS a day is used up.');
  }
  const text = texts.changeNoticeSms({ product, change: kind, notMeUrl: link });
  await sendSmsFromJob({ delivery }, { to: number, text, key });
}

function momentIn({ tag }: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
