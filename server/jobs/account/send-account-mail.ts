import * as v from 'valibot';
import { makeAddressLinks } from '#server/delivery/email/address-links.ts';
import { isTextable } from '#server/delivery/sms/may-be-texted.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendUninvited } from '#server/jobs/sending/send-uninvited.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import { smsBudget } from '#server/limits/limits.ts';
import { takeAll } from '#server/limits/rate-limits.ts';

/** The payload of jobs queued by `internal.enqueue_account_mail`. */
export const accountMailPayload = v.object({
  id: v.pipe(v.string(), v.uuid()),
  kind: v.picklist(['address_proof', 'address_lost']),
  user_id: v.pipe(v.string(), v.uuid()),
});

type AccountMail = v.InferOutput<typeof accountMailPayload>;
type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'now' | 'limits'>;

interface Account {
  readonly claimed_email: string | null;
  /** The proved number, E.164 without the plus. */
  readonly phone: string | null;
  readonly language: string | null;
}

/** Asks whether a claimed address is its reader's, or says that it was lost. Sends nothing where the account is gone. */
export async function sendAccountMail(needs: Needs, { id, kind, user_id: userId }: AccountMail): Promise<void> {
  const { rows } = await needs.database.asService<Account>({
    name: 'account_to_write_to',
    text: `select claimed_email, case when phone_confirmed_at is not null then phone end as phone,
               (select language from public.profiles where id = account.id) as language
             from auth.users as account
             where id = $1 and deleted_at is null`,
    values: [userId],
  });
  const [account] = rows;
  if (account === undefined) return;
  if (kind === 'address_lost') return mailLostAddress(needs, account, id);
  const { claimed_email: to } = account;
  if (to === null) return;
  const { productName: product } = needs.config;
  const links = await makeAddressLinks(needs, { userId, address: to });
  const { language, texts } = await ownerLetters(needs.config, account.language);
  const content = texts.accountMail.addressProof({ product, ...links });
  await sendUninvited(needs, { to, content, language, key: `account:${id}` });
}

/**
 * The account lost the address it claimed, so only its proved phone number can be notified. Its pages show this as
 * well. Throws while the limit of SMS a day is used up, so that the job is run again later.
 */
async function mailLostAddress(
  { delivery, config, limits }: Needs,
  { phone, language }: Account,
  id: string,
): Promise<void> {
  if (phone === null || !delivery.hasSms) return;
  const number = `+${phone}`;
  if (!isTextable({ config }, number)) return;
  const { retryAfterSeconds } = await takeAll(limits, smsBudget({ isProved: true }));
  if (retryAfterSeconds !== null) throw new Error('The limit of SMS a day is used up.');
  const { texts } = await ownerLetters(config, language);
  const text = texts.sms.addressLost({ product: config.productName });
  await delivery.sendSms({ to: number, text, key: `account:${id}` });
}
