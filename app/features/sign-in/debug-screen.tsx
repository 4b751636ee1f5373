import { type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { authPath } from '#app/client/return-path.ts';
import { registerCode } from '#app/data/tag-codes.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { debugPageWords } from '#words/debug-page.ts';

interface DebugScreenProps {
  readonly code: string | null;
  readonly userId: string | null;
  readonly ownerId: string | null;
}

/** Shows the service's view of a code, for finding out why a sticker leads where it does. */
export function DebugScreen({ code, userId, ownerId }: DebugScreenProps) {
  const texts = debugPageWords(useLanguage());
  const owner = ownerId === null ? texts.unclaimed : ownerId === userId ? texts.yours(ownerId) : texts.another(ownerId);
  return (
    <Card className="flex flex-col gap-5">
      <h1 className="font-bold text-2xl">{texts.title}</h1>
      <dl className="flex flex-col gap-4">
        <Detail name={texts.qrId}>{code === null ? texts.noCode : <bdi translate="no">{code}</bdi>}</Detail>
        <Detail name={texts.userId}>{userId ?? texts.signedOut}</Detail>
        {code !== null && <Detail name={texts.owner}>{owner}</Detail>}
      </dl>
      {code !== null && ownerId === null && <Registration code={code} userId={userId} />}
    </Card>
  );
}

function Registration({ code, userId }: { readonly code: string; readonly userId: string | null }) {
  const texts = debugPageWords(useLanguage());
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  if (userId === null) return <LinkButton to={authPath(code)}>{texts.signInToRegister}</LinkButton>;

  const register = async () => {
    setBusy(true);
    const refused = await registerCode(await browserClient(), code, userId);
    if (refused === null) showToast('success', texts.registered);
    else showToast('failure', texts.refused(refused.message));
    await revalidate();
  };

  return (
    <Button
      busy={busy}
      onClick={() =>
        void register()
          .catch(() => showToast('failure', texts.failed))
          .finally(() => setBusy(false))
      }
    >
      {busy ? texts.registering : texts.register}
    </Button>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft text-sm">{name}</dt>
      <dd className="wrap-anywhere font-mono text-sm">{children}</dd>
    </div>
  );
}
