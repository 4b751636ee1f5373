import { isTimeZone } from '#domain/contact/time-zones.ts';
import { readOtherDays, readWeek } from '#domain/desks/typed-hours.ts';
import { type Options, type OptionTypes, readNumber, readText } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';

/** The options that a desk has its values from. */
export const SAVED = {
  name: 'string',
  place: 'string',
  zone: 'string',
  hours: 'string',
  'other-days': 'string',
  phone: 'string',
  languages: 'string',
  position: 'string',
  json: 'boolean',
} as const satisfies OptionTypes;

/** Returns the arguments of `save_desk`. Throws a UsageError for an invalid value. */
export function readDesk(texts: Options['texts']): Readonly<Record<string, unknown>> {
  const required = (option: string, most: number): string => {
    const text = readText(option, texts.get(option), most);
    if (text === null) throw new UsageError(`Add --${option}.`);
    return text;
  };
  const zone = required('zone', 64);
  if (!isTimeZone(zone)) throw new UsageError('--zone must be a time zone such as Europe/Berlin.');
  const week = readWeek(required('hours', 1_000));
  if (week === null) throw new UsageError('--hours must be hours such as "mon-fri 9-18; sat 10:00-14:00".');
  const days = readOtherDays(texts.get('other-days') ?? '');
  if (days === null) throw new UsageError('--other-days must be days such as "2026-12-24 9-12; 2026-12-25".');
  const position = texts.get('position');
  return {
    name_param: required('name', 60),
    place_param: required('place', 100),
    time_zone_param: zone,
    week_param: week,
    days_param: days,
    phone_param: readText('phone', texts.get('phone'), 30),
    languages_param: (texts.get('languages') ?? '').split(',').flatMap((tag) => tag.trim() || []),
    position_param: position === undefined ? null : readNumber('--position', position, 1_000),
  };
}
