import * as v from 'valibot';
import { DESK_COLUMNS } from '#domain/desks/desk.ts';
import { areDays, isWeek, openState } from '#domain/desks/opening-hours.ts';
import { writeOtherDays, writeWeek } from '#domain/desks/typed-hours.ts';
import { isUuid } from '#server/is-uuid.ts';
import { OperatorError } from '#server/operator-error.ts';
import { formatTable } from '../print-table.ts';
import { type Call, readOptions, readWord, refuseWords } from '../read-options.ts';
import { dataOf } from '../stickers/batches.ts';
import { UsageError } from '../usage-error.ts';
import { asJson } from '../write-json.ts';
import { readDesk, SAVED } from './read-desk.ts';

const OPTIONS = { list: { json: 'boolean' }, remove: { json: 'boolean' }, add: SAVED, change: SAVED } as const;

const desks = v.array(
  v.object({
    id: v.string(),
    name: v.string(),
    place: v.string(),
    phone: v.nullable(v.string()),
    languages: v.array(v.string()),
    time_zone: v.string(),
    week: v.custom<Parameters<typeof writeWeek>[0]>(isWeek),
    days: v.custom<Parameters<typeof writeOtherDays>[0]>(areDays),
  }),
);

export async function runDesksCommand(call: Call): Promise<void> {
  const { name, flags, texts, words } = readOptions(OPTIONS, call);
  const json = flags.has('json');
  const print = (text: string) => void call.stdout.write(text);
  let id: string | null = null;
  if (name === 'remove' || name === 'change') {
    const message = `desks ${name} takes one desk: its id.`;
    id = readWord(words, message);
    if (!isUuid(id)) throw new UsageError(message);
  } else refuseWords(words, `desks ${name} takes no arguments.`);
  const values = name === 'add' || name === 'change' ? { ...readDesk(texts), desk_id_param: id } : null;
  const service = await call.connect();
  const { client } = service;
  switch (name) {
    case 'list': {
      const found = await client
        .from('desks')
        .select(DESK_COLUMNS)
        .is('removed_at', null)
        .order('position')
        .order('id');
      const listed = v.parse(desks, dataOf(service, found));
      if (json) return print(asJson(listed));
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
      const saved = v.parse(v.string(), dataOf(service, await client.rpc('save_desk', values)));
      return print(json ? asJson({ saved }) : `The desk ${saved} is on finders’ pages.\n`);
    }
    case 'remove': {
      const removed = dataOf(service, await client.rpc('remove_desk', { desk_id_param: id }));
      if (!v.parse(v.boolean(), removed)) throw new OperatorError(`No desk has the id ${id}.`);
      return print(json ? asJson({ removed: id }) : 'The desk is no longer on finders’ pages.\n');
    }
  }
}
