import * as v from 'valibot';
import type { AuthService } from '#server/auth/auth-service.ts';
import { requireAcceptableAddress, requirePhoneDigits } from '../accounts/identifier.ts';
import { type Metadata, readMetadata } from '../accounts/metadata.ts';
import { requireAcceptablePassword, TURN_OF_SERVICE } from '../accounts/passwords.ts';
import { AuthError } from '../wire/auth-error.ts';
import { data, flag, text } from '../wire/request-body.ts';
import { readBanDuration } from './ban-duration.ts';
import { isAcceptablePasswordHash } from './password-hash.ts';

/** What an operator may set on an account. */
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

/** The same, validated; null leaves a value unchanged. */
export interface UserAttributes {
  readonly email: string | null;
  /** E.164 without the plus. */
  readonly phone: string | null;
  readonly passwordHash: string | null;
  readonly confirmEmail: boolean;
  readonly confirmPhone: boolean;
  readonly userMetadata: Metadata;
  /** The confirmation flags to store in the metadata, where the operator confirms an address or a number. */
  readonly verified: Metadata;
  readonly appMetadata: Metadata;
  /** Undefined leaves a ban as it is, null lifts it. */
  readonly bannedUntil: Date | null | undefined;
}

/** Throws an AuthError for an invalid address, number, password, hash, role or duration. */
export async function readAttributes(
  { config, passwords, now }: Pick<AuthService, 'config' | 'passwords' | 'now'>,
  body: v.InferOutput<typeof userAttributes>,
): Promise<UserAttributes> {
  // The database has a single role for accounts; no account may have another.
  if (body.role !== '' && body.role !== 'authenticated') {
    throw new AuthError('roleNotOffered', { detail: JSON.stringify(body.role) });
  }
  if (body.password !== '' && body.password_hash !== '') throw new AuthError('passwordOrHash');
  if (body.password_hash !== '' && !isAcceptablePasswordHash(body.password_hash)) {
    throw new AuthError('passwordHashRefused');
  }
  const email = body.email === '' ? null : requireAcceptableAddress(body.email, config.emailDomainDenylist);
  const phone = body.phone === '' ? null : requirePhoneDigits(body.phone).slice(1);
  const banMs = body.ban_duration === '' ? undefined : readBanDuration(body.ban_duration);
  const userMetadata = readMetadata(body.user_metadata);
  if (body.password !== '') requireAcceptablePassword(config, body.password);
  return {
    email,
    phone,
    passwordHash:
      body.password === '' ? body.password_hash || null : await passwords.hash(body.password, TURN_OF_SERVICE),
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
