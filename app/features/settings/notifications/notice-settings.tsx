import type { ReactNode } from 'react';
import { browserClient, withBrowserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import type { Account } from '#app/data/profile.ts';
import { useSavedSwitches } from '#app/form/use-saved-switches.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Card } from '#app/ui/card.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import type { NotificationsWords } from '#domain/words/compiled/types.ts';
import { notificationsWords } from '#words/notifications.ts';
import {
  loadNoticeChoices,
  type NoticeChoices,
  type NoticeSwitch,
  type SwitchedWay,
  saveNoticeSwitch,
} from './notice-choices.ts';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { TestAlarm } from './test-alarm.tsx';
import type { TestMessage } from './test-messages.ts';
import { WhichMessages } from './which-messages.tsx';

type Texts = NotificationsWords['notices'];

interface NoticeSettingsProps {
  /** `provedEmail` is null where the account has no address, or has not proved it. */
  readonly profile: Pick<Account, 'id' | 'phoneVerified'> & { readonly provedEmail: string | null };
  /** Null where they could not be loaded. */
  readonly loaded: NoticeChoices | null;
  readonly tests: readonly TestMessage[];
  /** The browsers of one way, and the addresses of another. */
  readonly devices: ReactNode;
  readonly addresses: ReactNode;
}

/** How the owner learns of messages, and when not: all ways in one place. */
export function NoticeSettings({ profile, loaded, tests, devices, addresses }: NoticeSettingsProps) {
  const texts = notificationsWords(useLanguage()).notices;
  const { value, failed, reload } = useReloadable(loaded, async () => loadNoticeChoices(await browserClient()));
  return (
    <Card id="notices" className="flex scroll-mt-4 flex-col gap-4">
      <div>
        <h2 className="font-bold text-xl">{texts.title}</h2>
        <p className="text-ink-soft text-sm">{texts.lead}</p>
      </div>
      {failed && <PartFailed text={texts.loadFailed} retry={reload} />}
      {value === null ? (
        <div className="flex flex-col divide-y divide-line">
          {devices}
          {addresses}
        </div>
      ) : (
        <Choices
          profile={profile}
          choices={value}
          tests={tests}
          devices={devices}
          addresses={addresses}
          reload={reload}
          texts={texts}
        />
      )}
    </Card>
  );
}

interface ChoicesProps extends Omit<NoticeSettingsProps, 'loaded'> {
  readonly choices: NoticeChoices;
  readonly reload: () => Promise<void>;
  readonly texts: Texts;
}

function Choices({ profile, choices, tests, devices, addresses, reload, texts }: ChoicesProps) {
  const { hasMail, hasSms, codesGoBySms } = usePublicConfig();
  const words = notificationsWords(useLanguage());
  const { withRecentProof, proofDialog } = useRecentProof();
  const { wanted, isWaiting, change } = useSavedSwitches<NoticeSwitch>({
    save: (name, isOn) =>
      withRecentProof(withBrowserClient((client) => saveNoticeSwitch(client, profile.id, name, isOn))).catch(
        () => 'refused',
      ),
    reload,
    onRefused: () => showToast('failure', texts.saveFailed, { about: 'notices' }),
  });
  const isOn = (name: NoticeSwitch) => wanted[name] ?? choices[name];
  const line = (name: SwitchedWay | 'reminder', hint: ReactNode = null) => (
    <>
      <SwitchField label={texts[name]} checked={isOn(name)} onChange={(on) => void change(name, on)} />
      {hint !== null && <p className="pb-2 text-ink-soft text-sm">{hint}</p>}
    </>
  );
  const which = (way: SwitchedWay) =>
    isOn(way) && (
      <WhichMessages
        of={texts[way]}
        isOn={(event) => isOn(`${way}_${event}`)}
        onChange={(event, on) => void change(`${way}_${event}`, on)}
      />
    );
  return (
    <>
      {proofDialog}
      <div className="flex flex-col divide-y divide-line">
        <div className="py-1">
          {line('push')}
          {which('push')}
          {devices}
        </div>
        {hasMail && (
          <div className="py-1">
            {line(
              'email',
              <>
                {profile.provedEmail !== null && (
                  <span className="wrap-anywhere block pb-1">
                    <bdi>{profile.provedEmail}</bdi>
                  </span>
                )}
                {texts.emailHint}
              </>,
            )}
            {which('email')}
            {profile.provedEmail !== null && <TestAlarm way="email" first={tests} texts={words} />}
          </div>
        )}
        {hasSms && profile.phoneVerified && (
          <div className="py-1">
            {line('sms', texts.smsHint)}
            {which('sms')}
            <TestAlarm way="sms" first={tests} texts={words} />
          </div>
        )}
        {codesGoBySms && !profile.phoneVerified && <p className="py-3 text-ink-soft text-sm">{texts.smsNeedsPhone}</p>}
        {hasMail && <div className="py-1">{line('reminder', texts.reminderHint)}</div>}
        {addresses}
      </div>
      <p role="status" className="font-medium text-sm empty:hidden">
        {isWaiting && texts.notSavedYet}
      </p>
      <QuietHoursForm userId={profile.id} saved={choices.quietHours} reload={reload} texts={texts} />
    </>
  );
}
