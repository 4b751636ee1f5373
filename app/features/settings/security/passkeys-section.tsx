import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { supportsPasskeys } from '#app/passkeys/passkey-support.ts';
import { addPasskey, loadPasskeys, type Passkey } from '#app/passkeys/passkeys.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { MOST_PASSKEYS } from '#domain/account/credential-limits.ts';
import { deviceInWords } from '#domain/texts/device-in-words.ts';
import { changesWords } from '#words/changes.ts';
import { RemoveCredential } from './remove-credential.tsx';
import { RenamePasskey } from './rename-passkey.tsx';
import { useSecurityTexts } from './use-security-texts.ts';

/** The passkeys of the account: lists them, adds another, renames and removes them. `loaded` is null where that failed. */
export function PasskeysSection({ loaded }: { readonly loaded: readonly Passkey[] | null }) {
  const { passkeys: texts } = useSecurityTexts();
  const { value, failed, reload } = useReloadable(loaded, loadPasskeys);
  const { withRecentProof, proofDialog } = useRecentProof();
  const [busy, setBusy] = useState(false);
  // The page is rendered in the browser only.
  const canAdd = supportsPasskeys();

  const add = async () => {
    const outcomes = { hasOne: texts.addedBefore, tooMany: texts.most(MOST_PASSKEYS), failed: texts.addFailed };
    const added = await addPasskey(withRecentProof).catch(() => 'failed' as const);
    if (added === 'done') {
      showToast('success', texts.addedNow, { about: 'passkeys' });
      await reload();
    } else if (added !== 'canceled') showToast('failure', outcomes[added], { about: 'passkeys' });
  };

  if (!canAdd && value?.length === 0) return null;
  return (
    <Card className="flex flex-col gap-4">
      {proofDialog}
      <div>
        <h2 className="font-bold text-xl">{texts.title}</h2>
        <p className="text-ink-soft text-sm">{texts.text}</p>
      </div>
      {failed && <PartFailed text={texts.loadFailed} retry={reload} />}
      {value?.length === 0 && <p>{texts.none}</p>}
      {value !== null && value.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {value.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} onChanged={reload} />
          ))}
        </ul>
      )}
      {canAdd && (
        <Button
          variant="outline"
          className="self-start"
          busy={busy}
          onClick={() => {
            setBusy(true);
            void add().finally(() => setBusy(false));
          }}
        >
          <KeyRound className="size-5" aria-hidden="true" />
          {texts.add}
        </Button>
      )}
    </Card>
  );
}

function PasskeyLine({ passkey, onChanged }: { readonly passkey: Passkey; readonly onChanged: () => Promise<void> }) {
  const { passkeys: texts } = useSecurityTexts();
  const changes = changesWords(useLanguage());
  const name = passkey.name === null ? texts.unnamed : deviceInWords(passkey.name, changes);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="text-ink-soft text-sm">
          {passkey.usedAt === null
            ? texts.added(formatDay(passkey.createdAt))
            : texts.lastUsed(formatDay(passkey.usedAt))}
        </p>
      </div>
      <div className="-mx-3 flex">
        <RenamePasskey id={passkey.id} name={name} storedName={passkey.name} onRenamed={onChanged} />
        <RemoveCredential
          name={name}
          text={texts.removeText}
          removed={texts.removed}
          failed={texts.removeFailed}
          about="passkeys"
          remove={(auth) => auth.passkey.delete({ passkeyId: passkey.id })}
          onRemoved={onChanged}
        />
      </div>
    </li>
  );
}
