import { useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { type PushDevice, removePushDevice, sendTestPush, showTextInPushes } from '#app/push/push-devices.ts';
import { type PushSupport, readPushSupport } from '#app/push/push-support.ts';
import { PushDenied, turnOffPush, turnOnPush } from '#app/push/this-device.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Button } from '#app/ui/button.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { deviceInWords } from '#domain/texts/device-in-words.ts';
import type { NotificationsWords } from '#domain/words/compiled/types.ts';
import { changesWords } from '#words/changes.ts';
import { notificationsWords } from '#words/notifications.ts';
import { loadPushSettings, type PushSettings } from './push-settings.ts';
import { waitForResult } from './wait-for-result.ts';

type Texts = NotificationsWords['devices'];

interface NotificationSettingsProps {
  readonly userId: string;
  /** Null where it could not be loaded. */
  readonly loaded: PushSettings | null;
}

/** Of the switch for notifications: turns them on for this browser, and lists the browsers that receive some. */
export function NotificationSettings({ userId, loaded }: NotificationSettingsProps) {
  const texts = notificationsWords(useLanguage()).devices;
  const { value, failed, reload } = useReloadable(loaded, loadPushSettings);
  const config = usePublicConfig();
  const [support, setSupport] = useState(() => readPushSupport(config));
  /** What is being done, and to which device. */
  const [busy, setBusy] = useState<string | null>(null);

  const act = async (what: string, work: () => Promise<void>, done: string | null, failure: string) => {
    setBusy(what);
    await work().then(
      () => done !== null && showToast('success', done, { about: 'notifications' }),
      (error: unknown) => {
        if (!(error instanceof PushDenied)) showToast('failure', failure, { about: 'notifications' });
      },
    );
    setSupport(readPushSupport(config));
    await reload();
    setBusy(null);
  };
  /** The line of the device says what became of one that was not accepted. */
  const test = async ({ id, attemptedAt }: PushDevice) => {
    await sendTestPush(await browserClient(), id);
    const result = await waitForResult(async () => {
      const { devices } = await loadPushSettings();
      return devices.find(
        (device) =>
          device.id === id &&
          (device.endedAt !== null || (device.attemptedAt !== attemptedAt && device.lastStatus !== null)),
      );
    });
    const isAccepted = result?.endedAt === null && result.failingSince === null;
    if (isAccepted) showToast('success', texts.tested, { about: 'notifications' });
  };
  const { withRecentProof, proofDialog } = useRecentProof();
  const here = value?.devices.find(({ endpoint }) => endpoint === value.endpoint);
  const isOnHere = here !== undefined && here.endedAt === null;

  return (
    <section id="notifications" aria-label={texts.title} className="flex scroll-mt-4 flex-col gap-3 pb-3">
      {proofDialog}
      <p className="text-ink-soft text-sm">{texts.lead}</p>
      {failed && <PartFailed text={texts.loadFailed} retry={reload} />}
      {value !== null && value.devices.length > 0 && (
        <ul aria-label={texts.devices} className="flex flex-col divide-y divide-line">
          {value.devices.map((device) => (
            <DeviceLine
              key={device.id}
              device={device}
              isHere={device === here}
              texts={texts}
              busy={busy}
              onTest={() => void act(`test ${device.id}`, () => test(device), null, texts.testFailed)}
              onRemove={() =>
                void act(
                  `remove ${device.id}`,
                  device === here
                    ? () => turnOffPush(device.id)
                    : async () => {
                        const client = await browserClient();
                        await withRecentProof(() => removePushDevice(client, device.id));
                      },
                  device === here ? texts.turnedOff : texts.removed,
                  texts.changeFailed,
                )
              }
              onShowText={(showsText) =>
                void act(
                  `text ${device.id}`,
                  async () => showTextInPushes(await browserClient(), device.id, showsText),
                  null,
                  texts.changeFailed,
                )
              }
            />
          ))}
        </ul>
      )}
      {!isOnHere && value !== null && (
        <TurnOn
          support={support}
          texts={texts}
          busy={busy === 'on'}
          onTurnOn={() => void act('on', () => turnOnPush(userId), texts.turnedOn, texts.turnOnFailed)}
        />
      )}
    </section>
  );
}

interface TurnOnProps {
  readonly support: PushSupport;
  readonly texts: Texts;
  readonly busy: boolean;
  readonly onTurnOn: () => void;
}

/** Offers notifications for this browser, or says why it has none. */
function TurnOn({ support, texts, busy, onTurnOn }: TurnOnProps) {
  if (support === 'available') {
    return (
      <Button variant="outline" className="self-start" busy={busy} onClick={onTurnOn}>
        {busy ? texts.turningOn : texts.turnOn}
      </Button>
    );
  }
  const reasons = {
    denied: texts.denied,
    'install-first': texts.installFirst,
    unsupported: texts.unsupported,
    'needs-worker': texts.needsWorker,
    'server-off': texts.serverOff,
  } as const;
  return (
    <Alert tone="info" quiet>
      {reasons[support]}
    </Alert>
  );
}

interface DeviceLineProps {
  readonly device: PushDevice;
  /** Whether it is this browser. */
  readonly isHere: boolean;
  readonly texts: Texts;
  readonly busy: string | null;
  readonly onTest: () => void;
  readonly onRemove: () => void;
  readonly onShowText: (showsText: boolean) => void;
}

function DeviceLine({ device, isHere, texts, busy, onTest, onRemove, onShowText }: DeviceLineProps) {
  const { id, endedAt, showsText } = device;
  const name = deviceInWords(device.device, changesWords(useLanguage()));
  const isLive = endedAt === null;
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <div className="min-w-0">
          <p className="wrap-anywhere font-medium">{name}</p>
          <p className="text-ink-soft text-sm">{stateOf(device, isHere, notificationsWords(useLanguage()))}</p>
        </div>
        <div className="-me-3 flex">
          {isLive && (
            <Button
              variant="quiet"
              className="px-3! text-sm!"
              aria-label={texts.testOf(name)}
              busy={busy === `test ${id}`}
              onClick={onTest}
            >
              {texts.test}
            </Button>
          )}
          <Button
            variant="quiet"
            className="px-3! text-sm!"
            aria-label={isHere && isLive ? texts.turnOff : texts.removeOf(name)}
            busy={busy === `remove ${id}`}
            onClick={onRemove}
          >
            {isHere && isLive ? texts.turnOff : texts.remove}
          </Button>
        </div>
      </div>
      {isHere && isLive && (
        <div>
          <SwitchField label={texts.showText} checked={showsText} onChange={onShowText} />
          <p className="text-ink-soft text-sm">{texts.showTextHint}</p>
        </div>
      )}
    </li>
  );
}

function stateOf(device: PushDevice, isHere: boolean, { devices: texts, addresses }: NotificationsWords): string {
  const { endedAt, failingSince, lastStatus, createdAt } = device;
  if (endedAt !== null) return isHere ? texts.stoppedHere : texts.stopped;
  if (failingSince !== null) {
    return lastStatus === null ? texts.failing : addresses.failingWithStatus(String(lastStatus));
  }
  return isHere ? texts.thisDevice : texts.since(formatDay(createdAt));
}
