import * as v from 'valibot';
import type { AppClient } from '#app/client/app-client.ts';
import { explainAddressError, explainPasswordError, secondsOfGap } from '#app/form/explain-auth-error.ts';
import { normalizeEmail, type RegistrationForm } from '#domain/account/validate-credentials.ts';
import type { SignInTexts } from '#domain/texts/sign-in-texts.ts';
import { trimBlanks } from '#domain/white-space.ts';

const existenceSchema = v.variant('exists', [
  v.object({ exists: v.literal(true), message: v.string() }),
  v.object({ exists: v.literal(false) }),
]);

export interface Registration extends RegistrationForm {
  readonly qrId: string | null;
}

type SentBy = 'email' | 'sms' | 'operator';

type Outcome =
  /**
   * The details are stored. `by` is null if the service did not say. Where the code had been sent before, another can be
   * requested in `resendSeconds`.
   */
  | { readonly kind: 'sent'; readonly by: SentBy | null; readonly resendSeconds: number | null }
  /** A code was sent for an earlier registration, and nothing is stored of this one; it can be sent again in `seconds`. */
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The message to show, or one for the field it concerns. */
  | { readonly kind: 'refused'; readonly refusal: string | { readonly email: string } | { readonly password: string } };

/** Creates an unconfirmed account and requests its code. Rejects where the server is unreachable. */
export async function registerAccount(
  client: AppClient,
  { fullName, email, phone, password, qrId }: Registration,
  texts: SignInTexts,
): Promise<Outcome> {
  const address = normalizeEmail(email);
  const existing = await checkUserExists(client, address);
  if (existing !== null) return { kind: 'refused', refusal: { email: existing } };

  const { data, error } = await client.auth.signUp({
    email: address,
    password,
    options: { data: { full_name: trimBlanks(fullName), phone, ...(qrId !== null && { qr_id: qrId }) } },
  });
  if (error === null) return { kind: 'sent', ...aboutMessage(data.user?.app_metadata) };
  const seconds = secondsOfGap(error);
  if (seconds !== null) return { kind: 'wait', seconds };
  const ofAddress = explainAddressError(error, 'registrationFailed', texts.authErrors);
  const refusal = typeof ofAddress === 'string' ? explainPasswordError(error, 'registrationFailed', texts) : ofAddress;
  return { kind: 'refused', refusal };
}

const messageSchema = v.object({
  confirmation_sent_by: v.picklist(['email', 'sms', 'operator']),
  confirmation_resend_seconds: v.optional(v.number()),
});

/** Returns how the code went, by email if no SMS may be sent to the number, and whether it had gone before. */
function aboutMessage(metadata: unknown): { readonly by: SentBy | null; readonly resendSeconds: number | null } {
  const parsed = v.safeParse(messageSchema, metadata);
  if (!parsed.success) return { by: null, resendSeconds: null };
  return { by: parsed.output.confirmation_sent_by, resendSeconds: parsed.output.confirmation_resend_seconds ?? null };
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
