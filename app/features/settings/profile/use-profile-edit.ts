import type { ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { clearSession } from '#app/client/sign-out.ts';
import { type Profile, type ProfileChange, saveProfile } from '#app/data/profile.ts';
import { dropProfileChange, keepProfileChange, saveInTurn } from '#app/data/unsent-profile-change.ts';
import { explainAddressError } from '#app/form/explain-auth-error.ts';
import { type FormState, useForm, wordProblems } from '#app/form/use-form.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { normalizeEmail, validateProfile } from '#domain/account/validate-credentials.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { profileWords } from '#words/profile.ts';

/** Saves name and address. Changes that cannot reach the server are kept in this browser and sent later. */
export function useProfileEdit(
  profile: Profile,
  onDone: () => void,
): FormState<'fullName' | 'email'> & { readonly proofDialog: ReactNode } {
  const { authErrors, emailTrouble, toasts, validation } = useTexts();
  const { profile: texts } = profileWords(useLanguage());
  const { revalidate } = useRevalidator();
  const { withRecentProof, proofDialog } = useRecentProof();

  const keep = (change: ProfileChange): string | null => {
    if (!keepProfileChange({ userId: profile.id, ...change })) return authErrors.unreachable;
    showToast('success', texts.updatedLocally, { about: 'profile' });
    onDone();
    return null;
  };

  const form = useForm<'fullName' | 'email'>({
    fields: ['fullName', 'email'],
    check: (form) => wordProblems(validateProfile(form), validation),
    send: async (form) => {
      const fullName = trimBlanks(form.fullName);
      const email = normalizeEmail(form.email);
      const change: ProfileChange = {
        ...(fullName !== profile.fullName && { fullName }),
        ...(email !== profile.email && email !== profile.pendingEmail && { email }),
      };
      // The address is the account's own again, so the one that was not sent is not wanted any more.
      if (email === profile.email) dropProfileChange(profile.id, { email });
      if (Object.keys(change).length === 0) {
        onDone();
        return null;
      }
      const client = await browserClient();
      const { outcome } = await withRecentProof(async () => {
        const saved = await saveInTurn(async () => {
          const result = await saveProfile(client, profile.id, change);
          // Before its turn ends: an earlier change of the same fields would be sent next, over this one.
          if (result === 'saved') dropProfileChange(profile.id, change);
          return result;
        });
        return { outcome: saved, error: typeof saved === 'string' ? null : saved };
      });
      if (outcome === 'unreachable') return keep(change);
      if (outcome === 'tooMany') return authErrors.tooManyAttempts;
      if (outcome === 'saved') {
        showToast('success', emailTrouble.updated, { about: 'profile' });
        await revalidate();
        onDone();
        return null;
      }
      // The session was ended elsewhere. After a refused data request, the client has already noticed and removed it.
      if (outcome.name === 'AuthSessionMissingError' || !mayHaveSession()) {
        await clearSession();
        showToast('failure', toasts.sessionMissing, { about: 'account' });
        await revalidate();
        return null;
      }
      if (outcome.code === 'email_exists') return { email: texts.emailTaken };
      // A refusal of the data service has no message of its own.
      if (!('status' in outcome)) return authErrors.profileFailed;
      return explainAddressError(outcome, 'profileFailed', authErrors);
    },
  });
  return { ...form, proofDialog };
}
