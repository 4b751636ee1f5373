import { composeMail } from '#domain/messages/compose-mail.ts';
import { mailEn } from '#domain/messages/mail-en.ts';
import type { AuthService } from './auth-service.ts';

/** Tells the owner of an address, in place of whoever named it, that it has an account. */
export async function sendAccountExists(
  { config, delivery }: Pick<AuthService, 'config' | 'delivery'>,
  email: string,
): Promise<void> {
  const { productName: product, publicUrl } = config;
  const content = mailEn.accountExistsMail({ product, signInUrl: `${publicUrl}/auth?mode=login` });
  await delivery.sendEmail({ to: email, ...composeMail(content, product) });
}
