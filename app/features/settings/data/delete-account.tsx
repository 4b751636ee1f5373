import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CurrentPasswordField } from '#app/lib/account/current-password-field.tsx';
import { useRecentProof } from '#app/lib/account/recent-proof.tsx';
import { SecondFactorForm } from '#app/lib/account/second-factor-form.tsx';
import { useForm } from '#app/lib/account/use-form.ts';
import { keepProfileChange } from '#app/lib/kept-profile-change.ts';
import type { Profile } from '#app/lib/profile.ts';
import { forgetSession } from '#app/lib/sign-out.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Form } from '#app/ui/form.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { deleteAccount } from './delete-my-account.ts';

/** Ends the account: says what goes, and wants a word typed and the password, or else a recent sign-in. */
export function DeleteAccount({ profile }: { readonly profile: Profile }) {
  const { common, ownData } = useMessages();
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
  readonly profile: Profile;
  readonly onKeep: () => void;
}

function Deletion({ profile, onKeep }: DeletionProps) {
  const { authErrors, ownData, validation } = useMessages();
  const navigate = useNavigate();
  const { withRecentProof, proofDialog } = useRecentProof();
  const [factorIsOwed, setFactorIsOwed] = useState(false);
  const hasSecondFactor = profile.secondFactors.length > 0;
  const asksForPassword = profile.hasPassword && !hasSecondFactor;

  const leave = async () => {
    keepProfileChange(null);
    // The service has ended the session already; this browser forgets it too.
    await forgetSession();
    await navigate('/', { replace: true, state: { notice: ownData.deleted } });
  };

  const { frame, errors, edited, busy } = useForm({
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
          if ((await deleteAccount(null)) === 'deleted') await leave();
          else setFactorIsOwed(false);
        }}
      />
    );
  }
  return (
    <>
      {proofDialog}
      <ul className="list-disc ps-5">
        {ownData.deleteGone.map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
      <p className="text-ink-soft">{ownData.deleteFinal}</p>
      <Form {...frame}>
        <TextField
          label={ownData.deleteWordLabel(ownData.deleteWord)}
          name="word"
          autoComplete="off"
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
