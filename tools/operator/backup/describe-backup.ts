import type { Checked } from '#server/backup/check-backup.ts';
import type { KeptEndings } from '#server/backup/endings/keep-endings.ts';
import type { Restored } from '#server/backup/restore-backup.ts';
import type { CameBack } from '#server/postgres/backup/endings.ts';

/** Says what is in a backup, and what of the database is not. */
export function describeBackup({ heading, manifest }: Checked): string {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  const lines = [
    `As of ${heading.moment}, release ${heading.release}: ${count(rows, 'row')} in ${count(heading.tables.length, 'table')}, ` +
      `${count(manifest.files, 'file')} with ${count(manifest.fileBytes, 'byte')}, ${count(manifest.jobs, 'pending job')}.`,
  ];
  if (heading.foreign.length > 0) {
    lines.push(
      'NOT in it, because it is not ours. Back it up yourself:',
      ...heading.foreign.map((name) => `  ${name}`),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Says what is other than it was at the time of the backup. */
export function describeRestored({
  added,
  removedCodes = 0,
  droppedJobs = {},
  keptJobs = 0,
}: Partial<Restored>): string {
  const dropped = Object.entries(droppedJobs).sort(([one], [other]) => one.localeCompare(other));
  const lines = [
    ...(added?.length ? [`Columns of your own, without their rules and indexes: ${added.join(', ')}.`] : []),
    ...(removedCodes > 0 ? [`Codes and links that can be used once, which no longer work: ${removedCodes}.`] : []),
    ...(dropped.length > 0
      ? ['Jobs that are not run, because their time has passed:', ...dropped.map(([task, jobs]) => `  ${jobs} ${task}`)]
      : []),
    ...(keptJobs > 0 ? [`Jobs whose time will come: ${keptJobs}.`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export interface AfterBackup {
  readonly folder: string;
  readonly until: KeptEndings['until'];
  readonly cameBack: readonly CameBack[];
  /** Whether it was ended again. */
  readonly isEnded: boolean;
}

/** Says what ended after the backup and is there again, or that nobody knows. */
export function describeEndings({ folder, until, cameBack, isEnded }: AfterBackup): string {
  if (until === null) {
    return `${[
      'Deleted accounts, ended sessions, removed second contacts, stopped emails, voided codes, and whatever else ended',
      `after the backup are there again, and no record says which: ${folder} has no reunite-endings-….txt of later.`,
      'If the former database still runs, write them with its settings: backup endings --folder FOLDER. Then, with these:',
      'backup end-again --folder FOLDER.',
    ].join('\n')}\n`;
  }
  if (cameBack.length === 0) return `Nothing that ended after the backup is there again, as far as ${until}.\n`;
  const [named, others] = [cameBack.filter((kind) => kind.isNamedOnly), cameBack.filter((kind) => !kind.isNamedOnly)];
  const list = (kinds: readonly CameBack[]) => kinds.map(({ ids, name }) => `  ${ids.length} ${name}`);
  const lines = [
    ...(others.length > 0
      ? [
          isEnded ? 'Ended again:' : `Ended after the backup, as far as ${until}, and there again:`,
          ...list(others),
          ...(isEnded
            ? []
            : [`Before you start the service, end them again: npm run reunite -- backup end-again --folder ${folder}`]),
        ]
      : []),
    ...named.flatMap(({ ids, name }) => [
      `Only you can judge the ${name}. The accounts:`,
      ...ids.map((id) => `  ${id}`),
    ]),
    `Ids and times: ${folder}/reunite-endings-….txt`,
  ];
  return `${lines.join('\n')}\n`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
