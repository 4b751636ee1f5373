import * as v from 'valibot';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { requireAcceptableAddress } from '#server/auth/email-address.ts';
import { requireAcceptablePassword } from '#server/auth/password-rules.ts';
import { requirePhoneNumber } from '#server/auth/phone-number.ts';
import { type Metadata, readMetadata } from '#server/auth/sign-up-data.ts';
import { data, flag, text } from '#server/auth/wire-fields.ts';
import { readBanDuration } from './ban-duration.ts';
import { isAcceptablePasswordHash } from './password-hash.ts';

/** What an operator may say about an account (wire contract, section 1.14). */
export const userAttributes = v.object({
  id: text,
  email: text,
  phone: text,
  password: text,
  password_hash: text,
  email_confirm: flag(false),
  phone_confirm: flag(false),
  user_metadata: data,
  app_metadata: data,
  role: text,
  ban_duration: text,
});

/** The same, checked; null is what the operator says nothing about. */
export interface UserAttributes {
  readonly email: string | null;
  /** E.164 without the plus. */
  readonly phone: string | null;
  readonly passwordHash: string | null;
  readonly confirmEmail: boolean;
  readonly confirmPhone: boolean;
  readonly userMetadata: Metadata;
  /** What the metadata says of what is confirmed, where the operator says that it is. */
  readonly verified: Metadata;
  readonly appMetadata: Metadata;
  /** Undefined leaves a ban as it is, null lifts it. */
  readonly bannedUntil: Date | null | undefined;
}

/** Throws an AuthError for an address, number, password, hash, role or duration that an account may not have. */
export async function readAttributes(
  { config, passwords, now }: Pick<AuthService, 'config' | 'passwords' | 'now'>,
  body: v.InferOutput<typeof userAttributes>,
): Promise<UserAttributes> {
  // The database has one role for people; the others are not for an account to have.
  if (body.role !== '' && body.role !== 'authenticated') {
    throw new AuthError('roleNotOffered', { detail: JSON.stringify(body.role) });
  }
  if (body.password !== '' && body.password_hash !== '') throw new AuthError('passwordOrHash');
  if (body.password_hash !== '' && !isAcceptablePasswordHash(body.password_hash)) {
    throw new AuthError('passwordHashRefused');
  }
  const email = body.email === '' ? null : requireAcceptableAddress(body.email, config.emailDomainDenylist);
  const phone = body.phone === '' ? null : readDigits(body.phone);
  const banMs = body.ban_duration === '' ? undefined : readBanDuration(body.ban_duration);
  const userMetadata = readMetadata(body.user_metadata);
  if (body.password !== '') requireAcceptablePassword(config, body.password);
  return {
    email,
    phone,
    passwordHash: body.password === '' ? body.password_hash || null : await passwords.hash(body.password),
    confirmEmail: body.email_confirm,
    confirmPhone: body.phone_confirm,
    userMetadata,
    verified: {
      ...(body.email_confirm && { email_verified: true }),
      ...(body.phone_confirm && { phone_verified: true }),
    },
    appMetadata: body.app_metadata ?? {},
    bannedUntil: banMs == null ? banMs : new Date(now() + banMs),
  };
}

/** The protocol takes a number with or without its plus and with blanks in it. */
function readDigits(phone: string): string {
  return requirePhoneNumber(`+${phone.replace(/[+\s]/g, '')}`).slice(1);
}
