import { useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { deviceInWords } from '#domain/texts/device-in-words.ts';
import { changesWords } from '#words/changes.ts';
import { type AccountSession, endSession, loadSessions } from './sessions.ts';
import { useSecurityTexts } from './use-security-texts.ts';

interface SessionsSectionProps {
  /** Null where they could not be loaded. */
  readonly loaded: readonly AccountSession[] | null;
}

/** Lists the account's sessions, each with a button to end it. This browser's own ends by signing out. */
export function SessionsSection({ loaded }: SessionsSectionProps) {
  const security = useSecurityTexts();
  const { value: sessions, failed, reload } = useReloadable(loaded, async () => loadSessions(await browserClient()));
  /** The session being ended, or `others`. */
  const [ending, setEnding] = useState<string | null>(null);

  const end = async (what: string, act: () => Promise<void>, text: string) => {
    setEnding(what);
    await act().then(
      () => showToast('success', text, { about: 'security' }),
      () => showToast('failure', security.endSessionFailed, { about: 'security' }),
    );
    await reload();
    setEnding(null);
  };
  const endOthers = async () => {
    const { error } = await (await browserClient()).auth.signOut({ scope: 'others' });
    if (error) throw error;
  };

  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="font-bold text-xl">{security.sessions}</h2>
        <p className="text-ink-soft text-sm">{security.sessionsText}</p>
      </div>
      {failed && <PartFailed text={security.loadFailed} retry={reload} />}
      {sessions !== null && (
        <ul className="flex flex-col divide-y divide-line">
          {sessions.map((session) => (
            <SessionLine
              key={session.id}
              session={session}
              busy={ending === session.id}
              onEnd={() =>
                void end(session.id, async () => endSession(await browserClient(), session.id), security.sessionEnded)
              }
            />
          ))}
        </ul>
      )}
      {sessions !== null && sessions.length > 1 && (
        <Button
          variant="outline"
          className="self-start"
          busy={ending === 'others'}
          onClick={() => void end('others', endOthers, security.othersEnded)}
        >
          {security.endOthers}
        </Button>
      )}
    </Card>
  );
}

interface SessionLineProps {
  readonly session: AccountSession;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function SessionLine({ session: { device, isCurrent, lastUsedAt }, busy, onEnd }: SessionLineProps) {
  const security = useSecurityTexts();
  const name = deviceInWords(device, changesWords(useLanguage()));
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="text-ink-soft text-sm">
          {isCurrent ? security.thisSession : security.lastUsed(formatMoment(lastUsedAt))}
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="quiet"
          className="px-3! text-sm!"
          aria-label={security.endSessionOf(name)}
          busy={busy}
          onClick={onEnd}
        >
          {security.endSession}
        </Button>
      )}
    </li>
  );
}
