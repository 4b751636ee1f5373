import * as v from 'valibot';
import { ACCOUNT_CHANGE_KINDS, ACCOUNT_CHANGES } from '#domain/account/account-changes.ts';
import type { Language } from '#domain/language.ts';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import { isTextable } from '#server/delivery/may-be-texted.ts';
import { notMeLinks } from '#server/delivery/not-me-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob, sendSmsFromJob } from './send-from-job.ts';

/** The payload of jobs queued by `internal.enqueue_change_notice`. */
export const changeNoticePayload = v.object({
  id: v.pipe(v.string(), v.uuid()),
  kind: v.picklist(ACCOUNT_CHANGE_KINDS),
  user_id: v.pipe(v.string(), v.uuid()),
  /** The session that made the change; null where it is unknown. */
  session_id: v.nullable(v.pipe(v.string(), v.uuid())),
  at: v.string(),
  /** Whom or what it concerns. Of a changed address or number, the former one. */
  about: v.nullable(v.string()),
});

export type ChangeNotice = v.InferOutput<typeof changeNoticePayload>;
type Needs = Pick<Dependencies, 'database' | 'delivery' | 'config' | 'secrets' | 'limits'>;

/**
 * Notifies an owner of a change of their account: by email where an address is proved, else by SMS, of those that matter.
 * A changed address or number is announced at the former one. The profile shows all of them.
 *
 * Throws while the limit of SMS to owners is used up, so that the job is run again later.
 */
export async function sendChangeNotice(needs: Needs, notice: ChangeNotice): Promise<void> {
  const { config, delivery, limits } = needs;
  const { id, kind, user_id: userId, session_id: sessionId, at, about } = notice;
  const { rows } = await needs.database.asService<{ email: string | null; phone: string | null }>({
    name: 'account_to_notify',
    text: `select email, case when phone_confirmed_at is not null then phone end as phone
             from auth.users where id = $1 and deleted_at is null`,
    values: [userId],
  });
  const [account] = rows;
  if (account === undefined) return;
  const formerEmail = kind === 'email_changed' ? about : null;
  const formerPhone = kind === 'phone_changed' ? about : null;
  const email = formerEmail ?? account.email;
  const phone = formerPhone ?? account.phone;
  const { productName: product, defaultLanguage } = config;
  const changedAt = new Date(at);
  const link = notMeLinks(needs).linkFor({
    userId,
    sessionId,
    changedAt: changedAt.getTime(),
    formerEmail,
    // The reader of an address may not have had the number.
    formerPhone: email === null ? formerPhone : null,
  });
  const texts = letterTexts(defaultLanguage);
  const key = `change:${id}`;
  if (email !== null) {
    const content = texts.changeNotice({
      product,
      change: kind,
      about: formerEmail === null && formerPhone === null ? about : null,
      at: `${momentIn(defaultLanguage).format(changedAt)} UTC`,
      notMeUrl: link,
    });
    await sendFromJob({ delivery }, { to: email, ...composeMail(content, product, defaultLanguage), key });
    return;
  }
  if (phone === null || !delivery.hasSms || !ACCOUNT_CHANGES[kind].byText) return;
  const number = `+${phone}`;
  if (!isTextable({ config }, number) || !(await limits.take('change_sms_per_account', userId)).allowed) return;
  if (!(await limits.take('message_sms_from_everywhere', 'all')).allowed) {
    await limits.giveBack('change_sms_per_account', userId);
    throw new Error('The limit of SMS to owners is used up.');
  }
  const text = texts.changeNoticeSms({ product, change: kind, notMeUrl: link });
  await sendSmsFromJob({ delivery }, { to: number, text, key });
}

function momentIn({ tag }: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
