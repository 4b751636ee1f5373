import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { type FormState, useForm } from '#app/lib/account/use-form.ts';
import { wordProblems } from '#app/lib/account/word-problems.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { normalizeEmail, validateRegistration } from '#domain/validate-credentials.ts';
import { storePendingVerification } from './pending-verification.ts';
import { registerAccount } from './register-account.ts';

const FIELDS = ['fullName', 'email', 'phone', 'country', 'password', 'qrId'] as const;

/** Checks and sends a registration; what is pending then is its verification. */
export function useRegistration(): FormState<(typeof FIELDS)[number]> {
  const messages = useMessages();
  const { auth, toasts, validation } = messages;
  const { codesGoBySms } = usePublicConfig();

  const phoneOf = async ({ phone, country }: { readonly phone: string; readonly country: string }) => {
    const { toE164 } = await import('#app/lib/account/phone-countries.ts');
    return toE164(phone, country);
  };

  return useForm({
    fields: FIELDS,
    check: async (form) => {
      const problems = wordProblems(validateRegistration(form), validation);
      if (problems.phone === undefined && (await phoneOf(form)) === null)
        return { ...problems, phone: auth.phoneInvalid };
      return problems;
    },
    send: async (form) => {
      const phone = await phoneOf(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const qrId = form.qrId === '' ? null : form.qrId;
      const refused = await registerAccount(await browserClient(), { ...form, phone, qrId }, messages);
      if (refused !== null) return refused;
      showAccountToast('success', codesGoBySms ? toasts.verifyPhone : toasts.verifyEmail);
      storePendingVerification({ email: normalizeEmail(form.email), phone, qrId, sentAt: Date.now() });
      return null;
    },
  });
}
