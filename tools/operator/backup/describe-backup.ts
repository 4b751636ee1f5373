import type { Checked } from '#server/backup/check-backup.ts';
import type { Restored } from '#server/backup/restore-backup.ts';

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

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
