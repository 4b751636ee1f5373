import { useEffect, useRef, useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import {
  type AccountChanges,
  type Addition,
  loadAccountChanges,
  markChangesSeen,
} from '#app/data/changes/account-changes.ts';
import { removeAddition } from '#app/data/changes/remove-addition.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { deviceInWords } from '#domain/texts/device-in-words.ts';
import { changesWords } from '#words/changes.ts';

/** What happened to the account in the last 30 days, and what was added, each with a button that takes it back. */
export function RecentChanges({ loaded }: { readonly loaded: AccountChanges | null }) {
  const texts = changesWords(useLanguage());
  const nameOf = ({ kind, name }: Addition) =>
    kind === 'device' || kind === 'passkey' ? deviceInWords(name, texts) : name;
  const { value, failed, reload } = useReloadable(loaded, async () => loadAccountChanges(await browserClient()));
  const { withRecentProof, proofDialog } = useRecentProof();
  const [busy, setBusy] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (value !== null) markChangesSeen(value);
  }, [value]);

  const remove = async (addition: Addition) => {
    setBusy(addition.id);
    try {
      const client = await browserClient();
      await withRecentProof(() => removeAddition(client, addition));
      announce(texts.removed);
      title.current?.focus();
    } catch {
      showToast('failure', texts.removeFailed, { about: 'changes' });
    }
    await reload();
    setBusy(null);
  };
  return (
    <Card id="changes" className="flex scroll-mt-4 flex-col gap-4">
      {proofDialog}
      <div>
        <h2 ref={title} tabIndex={-1} className="font-bold text-xl outline-none">
          {texts.title}
        </h2>
        <p className="text-ink-soft text-sm">{texts.lead}</p>
      </div>
      {failed && <PartFailed text={texts.loadFailed} retry={reload} />}
      {value?.changes.length === 0 && <p className="text-sm">{texts.none}</p>}
      {value !== null && value.additions.length > 0 && (
        <ul aria-label={texts.additions} className="flex flex-col divide-y divide-line">
          {value.additions.map((addition) => (
            <li key={addition.id} className="flex flex-wrap items-center justify-between gap-x-3 py-2">
              <div className="min-w-0">
                <p className="wrap-anywhere font-medium">
                  {texts.kinds[addition.kind]} <bdi>{nameOf(addition)}</bdi>
                </p>
                <p className="text-ink-soft text-sm">{formatMoment(addition.at)}</p>
              </div>
              <Button
                variant="quiet"
                className="-me-3 px-3! text-sm!"
                aria-label={texts.removeOf(`${texts.kinds[addition.kind]} ${nameOf(addition)}`)}
                busy={busy === addition.id}
                onClick={() => void remove(addition)}
              >
                {texts.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {value !== null && value.changes.length > 0 && (
        <ul
          aria-label={texts.changes}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
          tabIndex={0}
          className="flex max-h-72 flex-col divide-y divide-line overflow-y-auto"
        >
          {value.changes.map(({ kind, at, isHere, reason }) => (
            <li key={`${kind} ${at}`} className="py-2 text-sm">
              {texts.lines[kind]}
              {reason !== null && <span className="wrap-anywhere block">{texts.reason(reason)}</span>}
              <span className="block text-ink-soft">
                {formatMoment(at)} {isHere && texts.here}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
