import { type ReactNode, type SubmitEvent, useState } from 'react';
import { browserClient, withBrowserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import type { Profile } from '#app/data/profile.ts';
import { useSavedSwitches } from '#app/form/use-saved-switches.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { inLanguage } from '#domain/texts/in-language.ts';
import { noticeSettingsEn } from '#domain/texts/screens/notices/notice-settings-en.ts';
import {
  loadNoticeChoices,
  type NoticeChoices,
  type NoticeSwitch,
  type QuietHours,
  saveNoticeSwitch,
  saveQuietHours,
} from './notice-choices.ts';

const textsOf = inLanguage({ en: noticeSettingsEn });

type Texts = typeof noticeSettingsEn;

interface NoticeSettingsProps {
  readonly profile: Pick<Profile, 'id' | 'phoneVerified'>;
  /** Null where they could not be loaded. */
  readonly loaded: NoticeChoices | null;
}

/** How the owner learns of messages, and when not. */
export function NoticeSettings({ profile, loaded }: NoticeSettingsProps) {
  const texts = textsOf(useLanguage());
  const { value, failed, reload } = useReloadable(loaded, async () => loadNoticeChoices(await browserClient()));
  return (
    <Card id="notices" className="flex scroll-mt-4 flex-col gap-4">
      <div>
        <h2 className="font-bold text-xl">{texts.title}</h2>
        <p className="text-ink-soft text-sm">{texts.lead}</p>
      </div>
      {failed && <PartFailed text={texts.loadFailed} retry={reload} />}
      {value !== null && <Choices profile={profile} choices={value} reload={reload} texts={texts} />}
    </Card>
  );
}

interface ChoicesProps {
  readonly profile: NoticeSettingsProps['profile'];
  readonly choices: NoticeChoices;
  readonly reload: () => Promise<void>;
  readonly texts: Texts;
}

function Choices({ profile, choices, reload, texts }: ChoicesProps) {
  const { hasSms, codesGoBySms } = usePublicConfig();
  const { withRecentProof, proofDialog } = useRecentProof();
  const { wanted, isWaiting, change } = useSavedSwitches<NoticeSwitch>({
    save: (name, isOn) =>
      withRecentProof(withBrowserClient((client) => saveNoticeSwitch(client, profile.id, name, isOn))).catch(
        () => 'refused',
      ),
    reload,
    onRefused: () => showToast('failure', texts.saveFailed, { about: 'notices' }),
  });
  const line = (name: NoticeSwitch, hint: ReactNode = null) => (
    <div className="py-1">
      <SwitchField
        label={texts[name]}
        checked={wanted[name] ?? choices[name]}
        onChange={(isOn) => void change(name, isOn)}
      />
      {hint !== null && <p className="pb-2 text-ink-soft text-sm">{hint}</p>}
    </div>
  );
  return (
    <>
      {proofDialog}
      <div className="flex flex-col divide-y divide-line">
        {line('push')}
        {line('email', texts.emailHint)}
        {hasSms && profile.phoneVerified && line('sms', texts.smsHint)}
        {codesGoBySms && !profile.phoneVerified && <p className="py-3 text-ink-soft text-sm">{texts.smsNeedsPhone}</p>}
        {line('reminder', texts.reminderHint)}
      </div>
      <p role="status" className="font-medium text-sm empty:hidden">
        {isWaiting && texts.notSavedYet}
      </p>
      <QuietHoursForm userId={profile.id} saved={choices.quietHours} reload={reload} texts={texts} />
    </>
  );
}

interface QuietHoursFormProps {
  readonly userId: string;
  readonly saved: QuietHours | null;
  readonly reload: () => Promise<void>;
  readonly texts: Texts;
}

/** Turning quiet hours on shows the form; they hold once it is saved. Turning them off takes effect at once. */
function QuietHoursForm({ userId, saved, reload, texts }: QuietHoursFormProps) {
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
              label={texts.from}
              value={from}
              error={showsProblem ? missing(from) : undefined}
              onChange={({ target }) => setFrom(target.value)}
            />
            <TextField
              type="time"
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
