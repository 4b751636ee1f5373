import type { SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { explainAddressError } from '#app/lib/account/explain-auth-error.ts';
import { explainPasswordError } from '#app/lib/account/explain-password-error.ts';
import type { Messages } from '#domain/messages/en.ts';
import { normalizeEmail, type RegistrationForm } from '#domain/validate-credentials.ts';

const existenceSchema = v.variant('exists', [
  v.object({ exists: v.literal(true), message: v.string() }),
  v.object({ exists: v.literal(false) }),
]);

export interface Registration extends RegistrationForm {
  readonly qrId: string | null;
}

/**
 * Makes an unconfirmed account and has its code sent. Answers with the sentence to show, or one for the field that it is
 * about, or null when it went well.
 */
export async function registerAccount(
  client: SupabaseClient,
  { fullName, email, phone, password, qrId }: Registration,
  messages: Messages,
): Promise<string | { readonly email: string } | { readonly password: string } | null> {
  const address = normalizeEmail(email);
  const existing = await checkUserExists(client, address);
  if (existing !== null) return { email: existing };

  const { error } = await client.auth.signUp({
    email: address,
    password,
    options: { data: { full_name: fullName.trim(), phone, ...(qrId !== null && { qr_id: qrId }) } },
  });
  if (error === null) return null;
  const ofAddress = explainAddressError(error, 'registrationFailed', messages.authErrors);
  return typeof ofAddress === 'string' ? explainPasswordError(error, 'registrationFailed', messages) : ofAddress;
}

/** What the server says of an address that has an account, or null. Signing up is refused for such an address too. */
async function checkUserExists(client: SupabaseClient, email: string): Promise<string | null> {
  const { data, error } = await client.rpc('check_user_exists', { email_param: email });
  // The question is a courtesy and limited per address; without an answer, signing up gives it.
  const answer = v.safeParse(existenceSchema, error ? null : data);
  return answer.success && answer.output.exists ? answer.output.message : null;
}
