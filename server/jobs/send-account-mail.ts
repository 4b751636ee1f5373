import * as v from 'valibot';
import { composeMail, type MailContent } from '#domain/texts/letters/compose-mail.ts';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import { makeAddressLinks } from '#server/delivery/address-links.ts';
import { isTextable } from '#server/delivery/may-be-texted.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { resetUrlAt } from './reset-url.ts';
import { sendFromJob } from './send-from-job.ts';
import { sendUninvited } from './send-uninvited.ts';

/** The payload of jobs queued by `internal.enqueue_account_mail`. */
export const accountMailPayload = v.object({
  id: v.pipe(v.string(), v.uuid()),
  kind: v.picklist([
    'address_proof',
    'address_lost',
    'email_changed',
    'notice_address_added',
    'password_changed',
    'phone_changed',
  ]),
  user_id: v.pipe(v.string(), v.uuid()),
  /** The address that was changed, or the host of the one that was added. */
  address: v.nullable(v.string()),
});

type AccountMail = v.InferOutput<typeof accountMailPayload>;
/** The kinds that are sent by email. */
type LetterRequest = Omit<AccountMail, 'kind'> & { readonly kind: Exclude<AccountMail['kind'], 'address_lost'> };
type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'now' | 'limits'>;

interface Account {
  readonly email: string | null;
  readonly is_proved: boolean;
  /** The proved number, E.164 without the plus. */
  readonly phone: string | null;
}

/**
 * Mails an owner about their account: to a proved address, except where the mail asks for the proof. Sends nothing
 * where the account is gone.
 */
export async function sendAccountMail(needs: Needs, mail: AccountMail): Promise<void> {
  const { rows } = await needs.database.asService<Account>({
    name: 'account_to_write_to',
    text: `select coalesce(email, claimed_email) as email, email is not null as is_proved,
               case when phone_confirmed_at is not null then phone end as phone
             from auth.users
             where id = $1 and deleted_at is null`,
    values: [mail.user_id],
  });
  const [account] = rows;
  if (account === undefined) return;
  const { kind } = mail;
  if (kind === 'address_lost') {
    await mailLostAddress(needs, account, mail.id);
    return;
  }
  const letter = { ...mail, kind };
  const to = recipientOf(letter, account);
  if (to === null) return;
  const { productName: product } = needs.config;
  const content = await contentOf(needs, letter, to);
  if (kind === 'address_proof') {
    const { defaultLanguage: language } = needs.config;
    await sendUninvited(needs, { to, content, language, key: `account:${mail.id}` });
    return;
  }
  await sendFromJob(needs, {
    to,
    ...composeMail(content, product, needs.config.defaultLanguage),
    key: `account:${mail.id}`,
  });
}

/**
 * The account lost the address it claimed, so only its proved phone number can be notified. Its pages show this as
 * well. Throws while the limit of SMS to proved numbers is used up, so that the job is run again later.
 */
async function mailLostAddress({ delivery, config, limits }: Needs, { phone }: Account, id: string): Promise<void> {
  if (phone === null || !delivery.hasSms) return;
  const number = `+${phone}`;
  if (!isTextable({ config }, number)) return;
  if (!(await limits.take('sms_to_proved_numbers', 'all')).allowed) {
    throw new Error('The limit of SMS to proved numbers is used up.');
  }
  const text = letterTexts(config.defaultLanguage).sms.addressLost({ product: config.productName });
  await delivery.sendSms({ to: number, text, key: `account:${id}` });
}

function recipientOf({ kind, address }: LetterRequest, { email, is_proved }: Account): string | null {
  if (kind === 'email_changed') return address;
  return is_proved === (kind !== 'address_proof') ? email : null;
}

async function contentOf(
  needs: Needs,
  { kind, user_id: userId, address }: LetterRequest,
  to: string,
): Promise<MailContent> {
  const { productName: product, publicUrl } = needs.config;
  const resetUrl = resetUrlAt(publicUrl);
  const { accountMail } = letterTexts(needs.config.defaultLanguage);
  switch (kind) {
    case 'address_proof':
      return accountMail.addressProof({ product, ...(await makeAddressLinks(needs, { userId, address: to })) });
    case 'email_changed':
      return accountMail.emailChanged({ product });
    case 'notice_address_added':
      return accountMail.noticeAddressAdded({
        product,
        host: address ?? '',
        profileUrl: `${publicUrl}/profile`,
        resetUrl,
      });
    case 'password_changed':
      return accountMail.passwordChanged({ product, resetUrl });
    case 'phone_changed':
      return accountMail.phoneChanged({ product, resetUrl });
  }
}
