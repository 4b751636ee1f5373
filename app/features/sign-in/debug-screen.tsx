import { type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { authPath } from '#app/lib/auth-path.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { registerCode } from '#app/lib/qr-code-owner.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/toasts.tsx';

interface DebugScreenProps {
  readonly code: string | null;
  readonly userId: string | null;
  readonly ownerId: string | null;
}

/** What the service makes of a code, for whoever wants to know why a sticker leads where it does. */
export function DebugScreen({ code, userId, ownerId }: DebugScreenProps) {
  const { debugPage } = useMessages();
  const owner =
    ownerId === null ? debugPage.unclaimed : ownerId === userId ? debugPage.yours(ownerId) : debugPage.another(ownerId);
  return (
    <Card className="flex flex-col gap-5">
      <h1 className="font-bold text-2xl">{debugPage.title}</h1>
      <dl className="flex flex-col gap-4">
        <Detail name={debugPage.qrId}>{code ?? debugPage.noCode}</Detail>
        <Detail name={debugPage.userId}>{userId ?? debugPage.signedOut}</Detail>
        {code !== null && <Detail name={debugPage.owner}>{owner}</Detail>}
      </dl>
      {code !== null && ownerId === null && <Registration code={code} userId={userId} />}
    </Card>
  );
}

function Registration({ code, userId }: { readonly code: string; readonly userId: string | null }) {
  const { debugPage } = useMessages();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  if (userId === null) return <LinkButton to={authPath(code)}>{debugPage.signInToRegister}</LinkButton>;

  const register = async () => {
    setBusy(true);
    const refused = await registerCode(await browserClient(), code, userId);
    if (refused === null) showToast('success', debugPage.registered);
    else showToast('failure', debugPage.refused(refused.message));
    await revalidate();
  };

  return (
    <Button
      busy={busy}
      onClick={() =>
        void register()
          .catch(() => showToast('failure', debugPage.failed))
          .finally(() => setBusy(false))
      }
    >
      {busy ? debugPage.registering : debugPage.register}
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
