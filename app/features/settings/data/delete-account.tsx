import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { clearSession } from '#app/client/sign-out.ts';
import type { Account } from '#app/data/profile.ts';
import { keepProfileChange } from '#app/data/unsent-profile-change.ts';
import { CurrentPasswordField } from '#app/form/current-password-field.tsx';
import { useForm } from '#app/form/use-form.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { SecondFactorForm } from '#app/verification/second-factor-form.tsx';
import { useOwnDataTexts } from './use-own-data-texts.ts';

/**
 * Deletes the account: lists what will be deleted, and requires a typed word and the password, or else a recent
 * sign-in.
 */
export function DeleteAccount({ profile }: { readonly profile: Account }) {
  const { common } = useTexts();
  const ownData = useOwnDataTexts();
  const [asking, setAsking] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-soft text-sm">{ownData.deleteText}</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        <Trash2 className="size-5" aria-hidden="true" />
        {ownData.delete}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={ownData.deleteTitle} closeLabel={common.close}>
        <Deletion profile={profile} onKeep={() => setAsking(false)} />
      </Dialog>
    </div>
  );
}

interface DeletionProps {
  readonly profile: Account;
  readonly onKeep: () => void;
}

function Deletion({ profile, onKeep }: DeletionProps) {
  const { authErrors, validation } = useTexts();
  const ownData = useOwnDataTexts();
  const navigate = useNavigate();
  const { withRecentProof, proofDialog } = useRecentProof();
  const [factorIsOwed, setFactorIsOwed] = useState(false);
  const hasSecondFactor = profile.secondFactors.length > 0;
  const asksForPassword = profile.hasPassword && !hasSecondFactor;

  const leave = async () => {
    keepProfileChange(null);
    // The service has already ended the session; this removes it from the browser.
    await clearSession();
    await navigate('/', { replace: true, state: { notice: ownData.deleted } });
  };

  const { frame, errors, edited, refuse, busy } = useForm({
    fields: ['word', 'password'],
    check: ({ word, password }) => ({
      ...(word.trim().toUpperCase() !== ownData.deleteWord && { word: ownData.deleteWordMissing(ownData.deleteWord) }),
      ...(asksForPassword && password === '' && { password: validation.passwordRequired }),
    }),
    send: async ({ password }) => {
      const remove = async () => {
        const outcome = await deleteAccount(asksForPassword ? password : null);
        const isOld = outcome === 'signInIsOld' && !hasSecondFactor;
        return { outcome, error: isOld ? { code: 'PT403' } : null };
      };
      const { outcome } = await withRecentProof(remove);
      switch (outcome) {
        case 'deleted':
          await leave();
          return null;
        case 'wrongPassword':
          return { password: ownData.deleteWrongPassword };
        case 'tooManyAttempts':
          return authErrors.tooManyAttempts;
        case 'signInIsOld':
          if (!hasSecondFactor) return ownData.deleteSignInAgain;
          setFactorIsOwed(true);
          return null;
        case 'failed':
          return ownData.deleteFailed;
      }
    },
  });

  if (factorIsOwed) {
    return (
      <SecondFactorForm
        onProved={async () => {
          // The code is used up, so a second attempt begins with the form.
          const outcome = await deleteAccount(null).catch(() => 'failed');
          if (outcome === 'deleted') return leave();
          setFactorIsOwed(false);
          refuse(ownData.deleteFailed);
        }}
      />
    );
  }
  return (
    <>
      {proofDialog}
      <p className="-mb-2">{ownData.deleteLead}</p>
      <ul className="list-disc ps-5">
        {Object.values(ownData.deleteGone).map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
      <p className="text-ink-soft">{ownData.deleteFinal}</p>
      <Form {...frame}>
        <TextField
          label={ownData.deleteWordLabel(ownData.deleteWord)}
          name="word"
          autoComplete="off"
          enterKeyHint="next"
          autoCapitalize="characters"
          spellCheck={false}
          required
          onChange={() => edited('word')}
          error={errors.word}
        />
        {asksForPassword && (
          <CurrentPasswordField
            label={ownData.deletePassword}
            name="password"
            error={errors.password}
            onEdit={() => edited('password')}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="danger" busy={busy} className="flex-1">
            {busy ? ownData.deleting : ownData.deleteForever}
          </Button>
          <Button variant="outline" disabled={busy} onClick={onKeep} className="flex-1">
            {ownData.keep}
          </Button>
        </div>
      </Form>
    </>
  );
}

type DeletionOutcome = 'deleted' | 'wrongPassword' | 'tooManyAttempts' | 'signInIsOld' | 'failed';

/**
 * Deletes the signed-in account. Verifies the password in this session first, because an address may belong to more
 * than one account. Throws if no response arrives.
 */
async function deleteAccount(password: string | null): Promise<DeletionOutcome> {
  const client = await browserClient();
  if (password !== null) {
    const { error } = await client.auth.updateUser({ current_password: password });
    if (error?.code === 'current_password_invalid') return 'wrongPassword';
    if (error?.status === 429) return 'tooManyAttempts';
    if (error) return 'failed';
  }
  const { error } = await client.rpc('delete_my_account');
  if (error === null) return 'deleted';
  return error.code === 'PT403' ? 'signInIsOld' : 'failed';
}
