import { type SubmitEvent, useState } from 'react';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import type { NotificationsWords } from '#domain/words/compiled/types.ts';
import { type QuietHours, saveQuietHours } from './notice-choices.ts';

interface QuietHoursFormProps {
  readonly userId: string;
  readonly saved: QuietHours | null;
  readonly reload: () => Promise<void>;
  readonly texts: NotificationsWords['notices'];
}

/** Turning quiet hours on shows the form; they hold once it is saved. Turning them off takes effect at once. */
export function QuietHoursForm({ userId, saved, reload, texts }: QuietHoursFormProps) {
  const [isOpen, setIsOpen] = useState(saved !== null);
  const [from, setFrom] = useState(saved?.from ?? '22:00');
  const [to, setTo] = useState(saved?.to ?? '07:00');
  const [showsProblem, setShowsProblem] = useState(false);
  const [busy, setBusy] = useState(false);
  // The owner's clock is that of the device on which they set the hours.
  const [timeZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const { withRecentProof, proofDialog } = useRecentProof();
  const problem = from !== '' && from === to ? texts.sameTimes : undefined;
  const missing = (time: string) => (time === '' ? texts.missingTime : undefined);

  const save = async (hours: QuietHours | null): Promise<boolean> => {
    setBusy(true);
    const outcome = await withRecentProof(withBrowserClient((client) => saveQuietHours(client, userId, hours))).catch(
      () => 'refused',
    );
    if (outcome === 'saved') await reload();
    else showToast('failure', texts.saveFailed, { about: 'notices' });
    setBusy(false);
    return outcome === 'saved';
  };
  const toggle = async (isOn: boolean) => {
    setIsOpen(isOn);
    if (!isOn && saved !== null && !(await save(null))) setIsOpen(true);
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setShowsProblem(true);
    if (from === '' || to === '' || problem !== undefined) return;
    if (await save({ from, to, timeZone })) showToast('success', texts.saved, { about: 'notices' });
  };
  const isUnchanged = saved?.from === from && saved.to === to && saved.timeZone === timeZone;

  return (
    <div className="border-line border-t pt-2">
      {proofDialog}
      <SwitchField label={texts.quietHours} checked={isOpen} onChange={(isOn) => void toggle(isOn)} />
      <p className="text-ink-soft text-sm">{texts.quietHint}</p>
      {isOpen && (
        <form noValidate className="mt-3 flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
          <div className="grid grid-cols-2 gap-4">
            <TextField
              type="time"
              autoComplete="off"
              enterKeyHint="done"
              label={texts.from}
              value={from}
              error={showsProblem ? missing(from) : undefined}
              onChange={({ target }) => setFrom(target.value)}
            />
            <TextField
              type="time"
              autoComplete="off"
              enterKeyHint="done"
              label={texts.to}
              value={to}
              error={showsProblem ? (missing(to) ?? problem) : undefined}
              onChange={({ target }) => setTo(target.value)}
            />
          </div>
          <p className="text-ink-soft text-sm">{texts.timeZone(isUnchanged ? saved.timeZone : timeZone)}</p>
          {!isUnchanged && (
            <Button type="submit" variant="outline" className="self-start" busy={busy}>
              {busy ? texts.saving : texts.save}
            </Button>
          )}
        </form>
      )}
    </div>
  );
}
