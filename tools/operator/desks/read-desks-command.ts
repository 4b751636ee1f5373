import { isTimeZone } from '#domain/contact/time-zones.ts';
import { readOtherDays, readWeek } from '#domain/desks/typed-hours.ts';
import { isUuid } from '#server/is-uuid.ts';
import { type OptionTypes, readNumber, readOptions, readText } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';

export type DesksCommand =
  | { readonly name: 'list'; readonly json: boolean }
  | { readonly name: 'remove'; readonly json: boolean; readonly id: string }
  | {
      readonly name: 'add' | 'change';
      readonly json: boolean;
      /** The arguments of `save_desk`. */
      readonly values: Readonly<Record<string, unknown>>;
    };

const SAVED = {
  name: 'string',
  place: 'string',
  zone: 'string',
  hours: 'string',
  'other-days': 'string',
  phone: 'string',
  languages: 'string',
  at: 'string',
  position: 'string',
  json: 'boolean',
} as const satisfies OptionTypes;

/** Throws a UsageError for an unknown command, an unknown option or an invalid value. */
export function readDesksCommand(name: string, rest: readonly string[]): DesksCommand {
  if (name !== 'list' && name !== 'remove' && name !== 'add' && name !== 'change')
    throw new UsageError(`There is no command "desks ${name}".`);
  const isSaved = name === 'add' || name === 'change';
  const { flags, texts, words } = readOptions(isSaved ? SAVED : { json: 'boolean' }, rest);
  const json = flags.has('json');
  const [id = '', ...others] = words;
  const takesId = name === 'remove' || name === 'change';
  if (others.length > 0 || (takesId ? !isUuid(id) : id !== ''))
    throw new UsageError(takesId ? `desks ${name} takes one desk: its id.` : `desks ${name} takes no arguments.`);
  if (name === 'list') return { name, json };
  if (name === 'remove') return { name, json, id };

  const required = (option: string, most: number): string => {
    const text = readText(option, texts.get(option) ?? '', most);
    if (text === null) throw new UsageError(`Add --${option}.`);
    return text;
  };
  const zone = required('zone', 64);
  if (!isTimeZone(zone)) throw new UsageError('--zone must be a time zone such as Europe/Berlin.');
  const week = readWeek(required('hours', 1_000));
  if (week === null) throw new UsageError('--hours must be hours such as "mon-fri 9-18; sat 10:00-14:00".');
  const days = readOtherDays(texts.get('other-days') ?? '');
  if (days === null) throw new UsageError('--other-days must be days such as "2026-12-24 9-12; 2026-12-25".');
  const [latitude, longitude] = readPosition(texts.get('at'));
  const position = texts.get('position');
  return {
    name,
    json,
    values: {
      name_param: required('name', 60),
      place_param: required('place', 100),
      time_zone_param: zone,
      week_param: week,
      days_param: days,
      phone_param: readText('phone', texts.get('phone') ?? '', 30),
      languages_param: (texts.get('languages') ?? '').split(',').flatMap((tag) => tag.trim() || []),
      latitude_param: latitude,
      longitude_param: longitude,
      position_param: position === undefined ? null : readNumber('--position', position, 1_000),
      desk_id_param: name === 'change' ? id : null,
    },
  };
}

function readPosition(text: string | undefined): readonly (number | null)[] {
  if (text === undefined) return [null, null];
  const degrees = text.split(',').map(Number);
  if (degrees.length !== 2 || degrees.some(Number.isNaN))
    throw new UsageError('--at must be a latitude and a longitude such as 52.5251,13.3694.');
  return degrees;
}
