import { showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { readTypedPhone } from '#app/form/read-typed-phone.ts';
import { type FormState, useForm, wordProblems } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { fetchDevelopmentCode } from '#app/verification/development-code.ts';
import { sentAtOf } from '#app/verification/sent-code.ts';
import { normalizeEmail, validateRegistration } from '#domain/account/validate-credentials.ts';
import { trimBlanks } from '#domain/white-space.ts';
import type { DraftProps } from '../account-draft.ts';
import { FIXED_CODE_NOTICE, storePendingVerification } from '../verify/pending-verification.ts';
import { registerAccount } from './register-account.ts';

const FIELDS = ['fullName', 'email', 'phone', 'country', 'password', 'qrId'] as const;

/** How long a development server's fixed code is shown, in milliseconds (specification, section 9). */
const FIXED_CODE_SHOWN = 10_000;

/** Validates and sends a registration, after which its verification is pending. */
export function useRegistration({ draft, onDraft }: DraftProps): FormState<(typeof FIELDS)[number]> {
  const texts = useSignInTexts();
  const { auth, authErrors, toasts, validation, verification } = texts;
  const { codesGoBySms, development, passwordLength, codeGapSeconds } = usePublicConfig();

  const showFixedCode = async (email: string) => {
    const fixed = (await fetchDevelopmentCode(email))?.backupCode;
    if (fixed) {
      showToast('success', verification.fixedCode(fixed), { milliseconds: FIXED_CODE_SHOWN, about: FIXED_CODE_NOTICE });
    }
  };

  return useForm({
    fields: FIELDS,
    onTyped: ({ fullName, email, phone, country, password }) => onDraft({ fullName, email, phone, country, password }),
    check: async (form) => {
      const problems = wordProblems(validateRegistration(form, passwordLength), validation, passwordLength);
      if (problems.phone === undefined && (await readTypedPhone(form)) === null)
        return { ...problems, phone: auth.phoneInvalid };
      return problems;
    },
    send: async (form) => {
      const phone = await readTypedPhone(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const qrId = form.qrId === '' ? null : form.qrId;
      const email = normalizeEmail(form.email);
      const outcome = await registerAccount(await browserClient(), { ...form, phone, qrId }, texts);
      if (outcome.kind === 'refused') return outcome.refusal;
      const registered = { fullName: trimBlanks(form.fullName), email, phone, qrId };
      const asText = JSON.stringify({ ...registered, password: form.password });
      const givenUp = draft.givenUp?.email === email ? draft.givenUp : null;
      if (outcome.kind === 'wait') {
        // The code on its way belongs to the details that were sent with it.
        if (givenUp === null || asText !== draft.registered) return authErrors.changesNotSaved(outcome.seconds);
        storePendingVerification({
          ...givenUp,
          sentAt: sentAtOf(outcome.seconds, codeGapSeconds),
          wasSentBefore: true,
        });
        return null;
      }
      onDraft({ registered: asText });
      const sentBy = outcome.by ?? (codesGoBySms ? 'sms' : 'email');
      const { resendSeconds } = outcome;
      if (resendSeconds === null) {
        storePendingVerification({ ...registered, sentBy, sentAt: Date.now() });
      } else {
        const isSameCode = sentBy !== 'sms' || givenUp?.phone === phone;
        storePendingVerification({
          ...registered,
          sentBy,
          sentAt: sentAtOf(resendSeconds, codeGapSeconds),
          wrongCodes: isSameCode ? givenUp?.wrongCodes : 0,
          wasSentBefore: true,
        });
      }
      if (sentBy !== 'operator')
        showAccountToast('success', sentBy === 'sms' ? toasts.verifyPhone : toasts.verifyEmail);
      if (development) void showFixedCode(email);
      return null;
    },
  });
}
