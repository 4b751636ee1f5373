import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { fetchDevelopmentCode } from '#app/lib/account/development-code.ts';
import { readTypedPhone } from '#app/lib/account/read-typed-phone.ts';
import { type FormState, useForm } from '#app/lib/account/use-form.ts';
import { wordProblems } from '#app/lib/account/word-problems.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { normalizeEmail, validateRegistration } from '#domain/validate-credentials.ts';
import type { DraftProps } from './account-draft.ts';
import { CODE_GAP, type PendingVerification, storePendingVerification } from './pending-verification.ts';
import { registerAccount } from './register-account.ts';

const FIELDS = ['fullName', 'email', 'phone', 'country', 'password', 'qrId'] as const;

/** How long a development server's fixed code is shown, in milliseconds (specification, section 9). */
const FIXED_CODE_SHOWN = 10_000;

/** Checks and sends a registration; what is pending then is its verification. */
export function useRegistration({ draft, onDraft }: DraftProps): FormState<(typeof FIELDS)[number]> {
  const messages = useMessages();
  const { auth, toasts, validation, verification } = messages;
  const { codesGoBySms, development } = usePublicConfig();

  const showFixedCode = async (email: string) => {
    const fixed = (await fetchDevelopmentCode(email))?.backupCode;
    if (fixed) {
      showToast('success', verification.fixedCode(fixed), { milliseconds: FIXED_CODE_SHOWN, about: 'fixed-code' });
    }
  };

  return useForm({
    fields: FIELDS,
    onTyped: ({ fullName, email, phone, country, password }) => onDraft({ fullName, email, phone, country, password }),
    check: async (form) => {
      const problems = wordProblems(validateRegistration(form), validation);
      if (problems.phone === undefined && (await readTypedPhone(form)) === null)
        return { ...problems, phone: auth.phoneInvalid };
      return problems;
    },
    send: async (form) => {
      const phone = await readTypedPhone(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const qrId = form.qrId === '' ? null : form.qrId;
      const email = normalizeEmail(form.email);
      const outcome = await registerAccount(await browserClient(), { ...form, phone, qrId }, messages);
      if (outcome.kind === 'refused') return outcome.refusal;
      const registered = { fullName: form.fullName.trim(), email, phone, qrId };
      if (outcome.kind === 'wait') {
        storePendingVerification(codeSentBefore(registered, draft.givenUp, outcome.seconds));
        return null;
      }
      storePendingVerification({ ...registered, sentAt: Date.now() });
      showAccountToast('success', codesGoBySms ? toasts.verifyPhone : toasts.verifyEmail);
      if (development) void showFixedCode(email);
      return null;
    },
  });
}

/** The verification whose code was sent less than a gap ago: the one given up in this tab, or another browser's. */
function codeSentBefore(
  registered: Pick<PendingVerification, 'fullName' | 'email' | 'phone' | 'qrId'>,
  givenUp: PendingVerification | null,
  secondsLeft: number,
) {
  const known = givenUp?.email === registered.email ? givenUp : registered;
  return { ...known, sentAt: Date.now() - CODE_GAP + secondsLeft * 1000, wasSentBefore: true };
}
