import { CircleAlert, CircleCheck, Copy } from 'lucide-react';
import { copyText } from '#app/browser/clipboard/copy-text.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { classNames } from '#app/ui/class-names.ts';
import type { OperateWords } from '#domain/words/compiled/types.ts';
import type { ServiceState } from './console-data.ts';
import { formatBytes, formatSeconds } from './format-figures.ts';
import { useOperateTexts } from './use-operate-texts.ts';

interface StateLine {
  readonly name: string;
  readonly text: string;
  readonly isFine: boolean;
}

/** One line for each part of the service, and a text for bug reports. */
export function ServicePart({ service }: { readonly service: ServiceState }) {
  const { service: texts } = useOperateTexts();
  const copy = () =>
    copyText(JSON.stringify(service, null, 2), {
      copied: texts.copied,
      failed: texts.copyFailed,
      about: 'diagnostics',
    });
  return (
    <Card className="flex flex-col gap-5">
      <ul className="flex flex-col divide-y divide-line">
        {describe(service, texts).map(({ name, text, isFine }) => {
          const Icon = isFine ? CircleCheck : CircleAlert;
          return (
            <li key={name} className="flex gap-3 py-3">
              <Icon
                className={classNames('mt-0.5 size-5 shrink-0', isFine ? 'text-primary' : 'text-danger')}
                role="img"
                aria-label={isFine ? texts.fine : texts.wrong}
              />
              <div className="min-w-0">
                <h2 className="font-medium">{name}</h2>
                <p className={classNames('wrap-anywhere text-sm', isFine ? 'text-ink-soft' : 'text-danger')}>{text}</p>
              </div>
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="outline" onClick={() => void copy()}>
          <Copy className="size-5" aria-hidden="true" />
          {texts.copy}
        </Button>
        <p className="min-w-40 flex-1 text-ink-soft text-sm">{texts.copyHint}</p>
      </div>
    </Card>
  );
}

/** Jobs that wait for longer have nobody who runs them. */
const LATE_SECONDS = 600;
/** Twice the time between two backups, and an hour. */
const BACKUP_LATE_SECONDS = { hour: 3 * 3_600, day: 49 * 3_600 };

function describe(state: ServiceState, texts: OperateWords['service']): StateLine[] {
  const { database, jobs, push } = state;
  const refused = state.refused_addresses;
  return [
    {
      name: texts.database,
      text: texts.databaseText({ version: database.version, size: formatBytes(database.bytes) }),
      isFine: true,
    },
    disk(state, texts),
    {
      name: texts.files,
      text: state.store.works ? texts.filesIn(state.store.kind === 'folder' ? 'folder' : 'other') : texts.filesFail,
      isFine: state.store.works,
    },
    {
      name: texts.mail,
      text: [
        state.mail.works ? texts.mailKind(state.mail.kind === 'outbox' ? 'other' : state.mail.kind) : texts.mailFails,
        ...(refused > 0 ? [texts.refused(refused)] : []),
      ].join('. '),
      isFine: state.mail.works,
    },
    {
      name: texts.sms,
      text: state.sms ? texts.smsOn : state.mail.kind === 'none' ? texts.smsOffByLink : texts.smsOff,
      isFine: true,
    },
    {
      name: texts.push,
      text: state.has_push ? texts.pushText(push) : texts.pushOff,
      isFine: push.failing === 0 || push.failing * 2 < push.devices,
    },
    {
      name: texts.jobs,
      text:
        jobs.oldest_due_seconds > LATE_SECONDS
          ? texts.jobsLate({ ...jobs, time: formatSeconds(jobs.oldest_due_seconds) })
          : texts.jobsText(jobs),
      isFine: jobs.failed === 0 && jobs.oldest_due_seconds <= LATE_SECONDS,
    },
    backup(state, texts),
  ];
}

function disk({ disk: space }: ServiceState, texts: OperateWords['service']): StateLine {
  if (space === null) return { name: texts.disk, text: texts.diskUnknown, isFine: false };
  const free = formatBytes(space.free);
  return space.free > space.reserve
    ? { name: texts.disk, text: texts.diskText({ free, reserve: formatBytes(space.reserve) }), isFine: true }
    : { name: texts.disk, text: texts.diskFull(free), isFine: false };
}

function backup({ backup: state }: ServiceState, texts: OperateWords['service']): StateLine {
  const name = texts.backup;
  if (state === null) return { name, text: texts.backupOff, isFine: false };
  if (!state.works) return { name, text: texts.backupFails, isFine: false };
  if (state.age_seconds === null) return { name, text: texts.backupNone, isFine: false };
  const isFine = state.age_seconds <= BACKUP_LATE_SECONDS[state.every];
  return { name, text: texts.backupText(formatSeconds(state.age_seconds)), isFine };
}
