import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { clockOf } from '#domain/contact/local-moment.ts';
import { deskState, toDesk } from '#domain/desks/desk.ts';
import { hoursInWords } from '#domain/texts/desk-in-words.ts';
import { deskStateInWords } from '#domain/texts/desk-state-in-words.ts';
import { desksWords } from '#words/desks.ts';
import { ActDialog } from '../act-dialog.tsx';
import type { ConsoleDesk } from '../console-data.ts';
import { callAsOperator } from '../operator-calls.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import { DeskForm } from './desk-form.tsx';
import { saveDesk } from './save-desk.ts';

/** A desk as finders see it, and what can be done with it. */
export function DeskLine({ desk }: { readonly desk: ConsoleDesk }) {
  const texts = useOperateTexts();
  const { tag } = useLanguage();
  const { revalidate } = useRevalidator();
  const [shown, setShown] = useState<'form' | 'removing' | null>(null);
  const [busy, setBusy] = useState(false);

  const done = async () => {
    await revalidate();
    showToast('success', texts.done, { about: 'operate' });
  };
  const now = Date.now();
  const { hours } = toDesk(desk);
  const today = clockOf(desk.time_zone)(now).slice(0, 10);
  const isClosedToday = desk.days[today]?.length === 0;
  const switchToday = async () => {
    setBusy(true);
    const { [today]: _, ...days } = desk.days;
    await saveDesk({ ...desk, days: isClosedToday ? days : { ...days, [today]: [] } })
      .then(done)
      .catch(() => showToast('failure', texts.failed, { about: 'operate' }));
    setBusy(false);
  };
  const words = desksWords({ tag });
  return (
    <li className="flex flex-col gap-2 py-4">
      <div>
        <h2 className="wrap-anywhere font-medium">
          <bdi>{desk.name}</bdi>
        </h2>
        <p className="wrap-anywhere text-sm">
          <bdi>{desk.place}</bdi> · {deskStateInWords(deskState({ hours }, now), tag, words)}
        </p>
        {hoursInWords(hours, tag, words, now).map((line) => (
          <p key={line} className="text-ink-soft text-sm">
            {line}
          </p>
        ))}
        {desk.phone !== null && (
          <p className="text-ink-soft text-sm">
            <bdi>{desk.phone}</bdi>
          </p>
        )}
      </div>
      {shown === 'form' ? (
        <DeskForm desk={desk} onClose={() => setShown(null)} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => setShown('form')}>
            {texts.desks.edit}
          </Button>
          <Button variant="outline" busy={busy} onClick={() => void switchToday()}>
            {isClosedToday ? texts.desks.openToday : texts.desks.closeToday}
          </Button>
          <Button variant="danger" onClick={() => setShown('removing')}>
            {texts.desks.remove}
          </Button>
        </div>
      )}
      {shown === 'removing' && (
        <ActDialog
          title={texts.desks.remove}
          text={texts.desks.removeText}
          isDangerous
          onAct={async () => {
            await callAsOperator('remove_desk', { desk_id_param: desk.id });
            await done();
            return null;
          }}
          onClose={() => setShown(null)}
        />
      )}
    </li>
  );
}
