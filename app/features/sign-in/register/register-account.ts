import * as v from 'valibot';
import type { AppClient } from '#app/client/app-client.ts';
import { explainAddressError, explainPasswordError, secondsOfGap } from '#app/form/explain-auth-error.ts';
import { normalizeEmail, type RegistrationForm } from '#domain/account/validate-credentials.ts';
import type { Texts } from '#domain/texts/en.ts';

const existenceSchema = v.variant('exists', [
  v.object({ exists: v.literal(true), message: v.string() }),
  v.object({ exists: v.literal(false) }),
]);

export interface Registration extends RegistrationForm {
  readonly qrId: string | null;
}

type SentBy = 'email' | 'sms';

type Outcome =
  /** `by` is null if the service did not say. */
  | { readonly kind: 'sent'; readonly by: SentBy | null }
  /** A code was already sent; another can be requested in this many seconds. */
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The message to show, or one for the field it concerns. */
  | { readonly kind: 'refused'; readonly refusal: string | { readonly email: string } | { readonly password: string } };

/** Creates an unconfirmed account and requests its code. Rejects where the server is unreachable. */
export async function registerAccount(
  client: AppClient,
  { fullName, email, phone, password, qrId }: Registration,
  texts: Texts,
): Promise<Outcome> {
  const address = normalizeEmail(email);
  const existing = await checkUserExists(client, address);
  if (existing !== null) return { kind: 'refused', refusal: { email: existing } };

  const { data, error } = await client.auth.signUp({
    email: address,
    password,
    options: { data: { full_name: fullName.trim(), phone, ...(qrId !== null && { qr_id: qrId }) } },
  });
  if (error === null) return { kind: 'sent', by: sentBy(data.user?.app_metadata) };
  const seconds = secondsOfGap(error);
  if (seconds !== null) return { kind: 'wait', seconds };
  const ofAddress = explainAddressError(error, 'registrationFailed', texts.authErrors);
  const refusal = typeof ofAddress === 'string' ? explainPasswordError(error, 'registrationFailed', texts) : ofAddress;
  return { kind: 'refused', refusal };
}

/** Returns the transport in the service's response: by email if no SMS may be sent to the number. */
function sentBy(metadata: unknown): SentBy | null {
  const parsed = v.safeParse(v.object({ confirmation_sent_by: v.picklist(['email', 'sms']) }), metadata);
  return parsed.success ? parsed.output.confirmation_sent_by : null;
}

/**
 * Returns the server's message for an address that has an account, or null. The sign-up is refused for such an address
 * as well.
 */
async function checkUserExists(client: AppClient, email: string): Promise<string | null> {
  const { data, error } = await client.rpc('check_user_exists', { email_param: email });
  // This check is optional and limited per address; where it fails, the sign-up gives the same response.
  const existence = v.safeParse(existenceSchema, error ? null : data);
  return existence.success && existence.output.exists ? existence.output.message : null;
}
