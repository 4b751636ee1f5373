import * as v from 'valibot';
import { accountMailEn } from '#domain/messages/account-mail-en.ts';
import { composeMail, type MailContent } from '#domain/messages/compose-mail.ts';
import { smsEn } from '#domain/messages/sms-en.ts';
import { makeAddressLinks } from '#server/delivery/address-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from './send-from-job.ts';

/** What `internal.enqueue_account_mail` puts into the queue. */
export const accountMailPayload = v.object({
  id: v.pipe(v.string(), v.uuid()),
  kind: v.picklist(['address_proof', 'address_lost', 'email_changed', 'password_changed', 'phone_changed']),
  user_id: v.pipe(v.string(), v.uuid()),
  address: v.nullable(v.string()),
});

type AccountMail = v.InferOutput<typeof accountMailPayload>;
/** Those that go by e-mail. */
type LetterRequest = Omit<AccountMail, 'kind'> & { readonly kind: Exclude<AccountMail['kind'], 'address_lost'> };
type Needs = Pick<Dependencies, 'database' | 'delivery' | 'config' | 'secrets' | 'now'>;

interface Account {
  readonly email: string | null;
  readonly is_proved: boolean;
  /** E.164 without the plus. */
  readonly phone: string | null;
}

/**
 * Writes somebody about their account: to an address that they have proved, except where the mail asks for that proof.
 * An account that is gone by now needs none.
 */
export async function sendAccountMail(needs: Needs, mail: AccountMail): Promise<void> {
  const { rows } = await needs.database.asService<Account>({
    name: 'account_to_write_to',
    text: `select coalesce(email, claimed_email) as email, email is not null as is_proved, phone from auth.users
             where id = $1 and deleted_at is null`,
    values: [mail.user_id],
  });
  const [account] = rows;
  if (account === undefined) return;
  const { kind } = mail;
  if (kind === 'address_lost') {
    await tellOfLostAddress(needs, account, mail.id);
    return;
  }
  const letter = { ...mail, kind };
  const to = recipientOf(letter, account);
  if (to === null) return;
  const { productName: product } = needs.config;
  const content = await contentOf(needs, letter, to);
  await sendFromJob(needs, { to, ...composeMail(content, product), key: `account:${mail.id}` });
}

/** The account lost the address that it claimed, so its proved number alone can tell it; its pages say so too. */
async function tellOfLostAddress({ delivery, config }: Needs, { phone }: Account, id: string): Promise<void> {
  if (phone === null || !delivery.hasSms) return;
  const text = smsEn.addressLost({ product: config.productName });
  await delivery.sendSms({ to: `+${phone}`, text, key: `account:${id}` });
}

function recipientOf({ kind, address }: LetterRequest, { email, is_proved }: Account): string | null {
  if (kind === 'email_changed') return address;
  return is_proved === (kind !== 'address_proof') ? email : null;
}

async function contentOf(needs: Needs, { kind, user_id: userId }: LetterRequest, to: string): Promise<MailContent> {
  const { productName: product, publicUrl } = needs.config;
  const resetUrl = `${publicUrl}/auth?mode=reset`;
  switch (kind) {
    case 'address_proof':
      return accountMailEn.addressProof({ product, ...(await makeAddressLinks(needs, { userId, address: to })) });
    case 'email_changed':
      return accountMailEn.emailChanged({ product });
    case 'password_changed':
      return accountMailEn.passwordChanged({ product, resetUrl });
    case 'phone_changed':
      return accountMailEn.phoneChanged({ product, resetUrl });
  }
}
