import { useState } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { useFieldProblems } from '#app/ui/use-field-problems.ts';
import { type CredentialProblem, normalizeEmail, validateRegistration } from '#domain/validate-credentials.ts';
import { showAccountToast } from './account-toast.ts';
import { storePendingVerification } from './pending-verification.ts';
import type { TypedPhone } from './phone-field.tsx';
import { registerAccount } from './register-account.ts';

export interface TypedRegistration {
  readonly fullName: string;
  readonly email: string;
  readonly phone: TypedPhone;
  readonly password: string;
}

type FieldTexts = Partial<Record<keyof TypedRegistration, string>>;

/** Checks and sends a registration. What goes wrong is said per field, or in `refusal` for the whole. */
export function useRegistration(qrId: string | null) {
  const { auth, authErrors, toasts, validation } = useMessages();
  const { codesGoBySms } = usePublicConfig();
  const { problems, setProblems, clearProblem, formRef } = useFieldProblems<keyof TypedRegistration, string>();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const register = async (form: TypedRegistration) => {
    setRefusal(null);
    const found = validateRegistration({ ...form, phone: form.phone.text });
    setProblems(textsOf(found, validation));
    if (Object.keys(found).length > 0) return;

    const { toE164 } = await import('./phone-countries.ts');
    const phone = toE164(form.phone.text, form.phone.country);
    if (phone === null) {
      setProblems({ phone: auth.phoneInvalid });
      return;
    }
    const refused = await registerAccount(await browserClient(), { ...form, phone, qrId }, authErrors);
    if (refused !== null) {
      setRefusal(refused);
      return;
    }
    showAccountToast('success', codesGoBySms ? toasts.verifyPhone : toasts.verifyEmail);
    storePendingVerification({ email: normalizeEmail(form.email), phone, qrId, sentAt: Date.now() });
  };

  const submit = async (form: TypedRegistration) => {
    setBusy(true);
    await register(form)
      .catch(() => setRefusal(authErrors.unreachable))
      .finally(() => setBusy(false));
  };

  return { submit, errors: problems, clearError: clearProblem, formRef, refusal, busy };
}

function textsOf(
  problems: Partial<Record<keyof TypedRegistration, CredentialProblem>>,
  texts: Readonly<Record<CredentialProblem, string>>,
): FieldTexts {
  return Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, texts[problem]]));
}
