import type { ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import { explainAddressError } from '#app/lib/account/explain-auth-error.ts';
import { useRecentProof } from '#app/lib/account/recent-proof.tsx';
import { type FormState, useForm } from '#app/lib/account/use-form.ts';
import { wordProblems } from '#app/lib/account/word-problems.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { keepProfileChange } from '#app/lib/kept-profile-change.ts';
import { type Profile, type ProfileChange, saveProfile } from '#app/lib/profile.ts';
import { mayHaveSession } from '#app/lib/session.ts';
import { forgetSession } from '#app/lib/sign-out.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { normalizeEmail, validateProfile } from '#domain/validate-credentials.ts';

/** Saves name and address. What the server cannot be told now is kept in this browser and sent later. */
export function useProfileEdit(
  profile: Profile,
  onDone: () => void,
): FormState<'fullName' | 'email'> & { readonly proofDialog: ReactNode } {
  const { authErrors, profile: texts, toasts, validation } = useMessages();
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
      const fullName = form.fullName.trim();
      const email = normalizeEmail(form.email);
      const change: ProfileChange = {
        ...(fullName !== profile.fullName && { fullName }),
        ...(email !== profile.email && email !== profile.pendingEmail && { email }),
      };
      if (Object.keys(change).length === 0) {
        onDone();
        return null;
      }
      const client = await browserClient();
      const { outcome } = await withRecentProof(async () => {
        const saved = await saveProfile(client, profile.id, change);
        return { outcome: saved, error: typeof saved === 'string' ? null : saved };
      });
      if (outcome === 'outOfReach') return keep(change);
      if (outcome === 'tooMany') return authErrors.tooManyAttempts;
      if (outcome === 'saved') {
        showToast('success', texts.updated, { about: 'profile' });
        await revalidate();
        onDone();
        return null;
      }
      // It was ended elsewhere. Of a refused call for data the client has noticed already, and forgotten it.
      if (outcome.name === 'AuthSessionMissingError' || !mayHaveSession()) {
        await forgetSession();
        showToast('failure', toasts.sessionMissing, { about: 'account' });
        await revalidate();
        return null;
      }
      if (outcome.code === 'email_exists') return { email: texts.emailTaken };
      // What the data service refuses has no sentence of its own.
      if (!('status' in outcome)) return authErrors.profileFailed;
      return explainAddressError(outcome, 'profileFailed', authErrors);
    },
  });
  return { ...form, proofDialog };
}
