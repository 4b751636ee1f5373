import type { AuthError } from '@supabase/supabase-js';
import * as v from 'valibot';
import { explainAddressError } from '#app/lib/account/explain-auth-error.ts';
import { explainPasswordError } from '#app/lib/account/explain-password-error.ts';
import type { AppClient } from '#app/lib/app-client.ts';
import type { Messages } from '#domain/messages/en.ts';
import { normalizeEmail, type RegistrationForm } from '#domain/validate-credentials.ts';

const existenceSchema = v.variant('exists', [
  v.object({ exists: v.literal(true), message: v.string() }),
  v.object({ exists: v.literal(false) }),
]);

export interface Registration extends RegistrationForm {
  readonly qrId: string | null;
}

type Outcome =
  | { readonly kind: 'sent' }
  /** A code is on its way already; another can be sent in so many seconds. */
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The sentence to show, or one for the field that it is about. */
  | { readonly kind: 'refused'; readonly refusal: string | { readonly email: string } | { readonly password: string } };

/** Makes an unconfirmed account and has its code sent. Rejects where the server cannot be reached. */
export async function registerAccount(
  client: AppClient,
  { fullName, email, phone, password, qrId }: Registration,
  messages: Messages,
): Promise<Outcome> {
  const address = normalizeEmail(email);
  const existing = await checkUserExists(client, address);
  if (existing !== null) return { kind: 'refused', refusal: { email: existing } };

  const { error } = await client.auth.signUp({
    email: address,
    password,
    options: { data: { full_name: fullName.trim(), phone, ...(qrId !== null && { qr_id: qrId }) } },
  });
  if (error === null) return { kind: 'sent' };
  const seconds = secondsOfGap(error);
  if (seconds !== null) return { kind: 'wait', seconds };
  const ofAddress = explainAddressError(error, 'registrationFailed', messages.authErrors);
  const refusal =
    typeof ofAddress === 'string' ? explainPasswordError(error, 'registrationFailed', messages) : ofAddress;
  return { kind: 'refused', refusal };
}

/** What the server says of an address that has an account, or null. Signing up is refused for such an address too. */
async function checkUserExists(client: AppClient, email: string): Promise<string | null> {
  const { data, error } = await client.rpc('check_user_exists', { email_param: email });
  // The question is a courtesy and limited per address; signing up gives the same response where it fails.
  const existence = v.safeParse(existenceSchema, error ? null : data);
  return existence.success && existence.output.exists ? existence.output.message : null;
}

/** The seconds stand in the message alone: the client gives no headers of a refusal. */
function secondsOfGap({ code, message }: AuthError): number | null {
  if (code !== 'over_email_send_rate_limit' && code !== 'over_sms_send_rate_limit') return null;
  const seconds = /after (\d+) seconds/.exec(message)?.[1];
  return seconds === undefined ? null : Number(seconds);
}
