import * as v from 'valibot';
import { DESK_COLUMNS } from '#domain/desks/desk.ts';
import { areDays, isWeek, openState } from '#domain/desks/opening-hours.ts';
import { writeOtherDays, writeWeek } from '#domain/desks/typed-hours.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { formatTable } from '../print-table.ts';
import type { Output } from '../run-users-command.ts';
import { dataOf } from '../stickers/batches.ts';
import { asJson } from '../write-json.ts';
import type { DesksCommand } from './read-desks-command.ts';

const desks = v.array(
  v.object({
    id: v.string(),
    name: v.string(),
    place: v.string(),
    phone: v.nullable(v.string()),
    languages: v.array(v.string()),
    latitude: v.nullable(v.number()),
    longitude: v.nullable(v.number()),
    time_zone: v.string(),
    week: v.custom<Parameters<typeof writeWeek>[0]>(isWeek),
    days: v.custom<Parameters<typeof writeOtherDays>[0]>(areDays),
  }),
);

/** Runs the command and prints its result. Throws an OperatorError if the service refuses. */
export async function runDesksCommand(
  service: ServiceConnection,
  command: DesksCommand,
  { stdout }: Output,
): Promise<void> {
  const print = (text: string) => void stdout.write(text);
  const { client } = service;
  switch (command.name) {
    case 'list': {
      const found = await client
        .from('desks')
        .select(`${DESK_COLUMNS}, latitude, longitude`)
        .is('removed_at', null)
        .order('position')
        .order('id');
      const listed = v.parse(desks, dataOf(service, found));
      if (command.json) return print(asJson(listed));
      if (listed.length === 0) return print('There are no desks. "desks add" makes one.\n');
      const rows = listed.map(({ id, name, place, phone, time_zone: timeZone, week, days }) => [
        id,
        name,
        place,
        phone ?? '–',
        openState({ week, days, timeZone }, Date.now()).isOpen ? 'open' : 'closed',
        `${writeWeek(week)} ${timeZone}`,
        writeOtherDays(days).replaceAll('\n', '; ') || '–',
      ]);
      return print(formatTable(['ID', 'NAME', 'PLACE', 'PHONE', 'NOW', 'HOURS', 'OTHER DAYS'], rows));
    }
    case 'add':
    case 'change': {
      const id = v.parse(v.string(), dataOf(service, await client.rpc('save_desk', command.values)));
      return print(command.json ? asJson({ saved: id }) : `The desk ${id} is on finders’ pages.\n`);
    }
    case 'remove': {
      const removed = dataOf(service, await client.rpc('remove_desk', { desk_id_param: command.id }));
      if (!v.parse(v.boolean(), removed)) throw new OperatorError(`No desk has the id ${command.id}.`);
      return print(command.json ? asJson({ removed: command.id }) : 'The desk is no longer on finders’ pages.\n');
    }
  }
}
