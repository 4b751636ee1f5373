import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockOf } from '../contact/local-moment.ts';
import { areDays, isWeek, type OpeningHours, openState, type Span } from './opening-hours.ts';

const NINE_TO_SIX: Span = ['09:00', '18:00'];
const ALL_DAY: Span = ['00:00', '00:00'];
const WEEKDAYS = [[NINE_TO_SIX], [NINE_TO_SIX], [NINE_TO_SIX], [NINE_TO_SIX], [NINE_TO_SIX], [], []];
const every = (...spans: Span[]) => Array.from({ length: 7 }, () => spans);

const state = (hours: Partial<OpeningHours>, at: string) => {
  const { isOpen, changesAt } = openState(
    { week: WEEKDAYS, days: {}, timeZone: 'Europe/Berlin', ...hours },
    Date.parse(at),
  );
  return [isOpen, changesAt === null ? null : new Date(changesAt).toISOString().replace(':00.000Z', 'Z')];
};

test.each<[string, Partial<OpeningHours>, string, readonly [boolean, string | null]]>([
  ['opens later today', {}, '2026-11-30T07:00Z', [false, '2026-11-30T08:00Z']],
  ['opens at this moment', {}, '2026-11-30T08:00Z', [true, '2026-11-30T17:00Z']],
  ['closes at this moment, until Monday', {}, '2026-12-04T17:00Z', [false, '2026-12-07T08:00Z']],
  ['a holiday', { days: { '2026-12-25': [] } }, '2026-12-24T20:00Z', [false, '2026-12-28T08:00Z']],
  [
    'other hours on a day',
    { days: { '2026-12-24': [['09:00', '12:30']] } },
    '2026-12-24T09:00Z',
    [true, '2026-12-24T11:30Z'],
  ],
  [
    'open on a Sunday for once',
    { days: { '2026-12-06': [NINE_TO_SIX] } },
    '2026-12-05T09:00Z',
    [false, '2026-12-06T08:00Z'],
  ],
  ['across midnight', { week: every(['22:00', '02:00']) }, '2026-11-30T23:30Z', [true, '2026-12-01T01:00Z']],
  [
    'into a holiday',
    { week: every(['22:00', '02:00']), days: { '2026-12-25': [] } },
    '2026-12-24T23:30Z',
    [true, '2026-12-25T01:00Z'],
  ],
  [
    'a lunch break',
    { week: every(['13:00', '17:00'], ['09:00', '12:00']) },
    '2026-11-30T11:30Z',
    [false, '2026-11-30T12:00Z'],
  ],
  [
    'hours that overlap',
    { week: every(['09:00', '13:00'], ['12:00', '15:00']) },
    '2026-11-30T09:00Z',
    [true, '2026-11-30T14:00Z'],
  ],
  ['never closes', { week: every(ALL_DAY) }, '2026-11-30T09:00Z', [true, null]],
  [
    'never closes but on a holiday',
    { week: every(ALL_DAY), days: { '2026-12-25': [] } },
    '2026-12-24T22:59Z',
    [true, '2026-12-24T23:00Z'],
  ],
  [
    'all day from Monday to Friday',
    { week: [...Array.from({ length: 5 }, () => [ALL_DAY]), [], []] },
    '2026-12-02T09:00Z',
    [true, '2026-12-04T23:00Z'],
  ],
  ['never opens', { week: every() }, '2026-11-30T09:00Z', [false, null]],
  // The clocks go from 2:00 to 3:00.
  [
    'a night that is an hour shorter',
    { week: every(['22:00', '06:00']) },
    '2026-03-28T22:00Z',
    [true, '2026-03-29T04:00Z'],
  ],
  // And from 3:00 back to 2:00.
  [
    'a night that is an hour longer',
    { week: every(['22:00', '06:00']) },
    '2026-10-24T22:00Z',
    [true, '2026-10-25T05:00Z'],
  ],
  [
    'a day on which clocks change, to its end',
    { week: every(ALL_DAY), days: { '2026-10-26': [] } },
    '2026-10-25T12:00Z',
    [true, '2026-10-25T23:00Z'],
  ],
  [
    'where midnight is skipped',
    { timeZone: 'Africa/Cairo', week: every(['09:00', '00:00']) },
    '2026-04-23T12:00Z',
    [true, '2026-04-23T22:00Z'],
  ],
  [
    'until a midnight that is skipped west of UTC',
    { timeZone: 'America/Santiago', week: every(['09:00', '00:00']) },
    '2026-09-05T20:00Z',
    [true, '2026-09-06T04:00Z'],
  ],
  [
    'from a midnight that is skipped, after a holiday',
    { timeZone: 'America/Santiago', week: every(ALL_DAY), days: { '2026-09-05': [] } },
    '2026-09-05T20:00Z',
    [false, '2026-09-06T04:00Z'],
  ],
  ['beyond the date line', { timeZone: 'Pacific/Auckland' }, '2026-11-29T20:30Z', [true, '2026-11-30T05:00Z']],
])('%s', (_, hours, at, expected) => expect(state(hours, at)).toEqual(expected));

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 15, 30, 59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const spans = fc.array(fc.tuple(time, time), { maxLength: 3 });
const instant = fc
  .integer({ min: Date.parse('2026-01-01T00:00Z') / 60_000, max: Date.parse('2028-01-01T00:00Z') / 60_000 })
  .map((minutes) => minutes * 60_000);
const hours = fc.record({
  week: fc.array(spans, { minLength: 7, maxLength: 7 }),
  days: fc.dictionary(
    instant.map((at) => new Date(at).toISOString().slice(0, 10)),
    spans,
    { maxKeys: 40 },
  ),
  timeZone: fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  ),
});

/** What a person reads off the wall beside a clock. */
function readsAsOpen({ week, days, timeZone }: OpeningHours, at: number): boolean {
  const [date = '', now = ''] = clockOf(timeZone)(at).split('T');
  const on = (day: number) =>
    days[new Date(day).toISOString().slice(0, 10)] ?? week[(new Date(day).getUTCDay() + 6) % 7] ?? [];
  const today = Date.parse(date);
  return (
    on(today).some(([from, to]) => from <= now && (now < to || to <= from)) ||
    on(today - 86_400_000).some(([from, to]) => to <= from && now < to)
  );
}

const clocksChangeNear = (timeZone: string, at: number) => {
  const clock = clockOf(timeZone);
  const ahead = (instant: number) => Date.parse(`${clock(instant)}Z`) - instant;
  return ahead(at - 7_200_000) !== ahead(at + 7_200_000);
};

test('it is open when a clock of the desk’s zone is within its hours', () => {
  fc.assert(
    fc.property(hours, instant, (desk, at) => {
      fc.pre(!clocksChangeNear(desk.timeZone, at));
      expect(openState(desk, at).isOpen).toBe(readsAsOpen(desk, at));
    }),
    { numRuns: 300 },
  );
});

test('the next change is the next: until then it is the same, and then the other', () => {
  fc.assert(
    fc.property(hours, instant, fc.double({ min: 0, max: 1, noNaN: true }), (desk, at, part) => {
      const { isOpen, changesAt } = openState(desk, at);
      if (changesAt === null) return;
      expect(changesAt).toBeGreaterThan(at);
      for (const before of [at + Math.floor((changesAt - at) * part * 0.999), changesAt - 1]) {
        expect(openState(desk, before)).toEqual({ isOpen, changesAt });
      }
      expect(openState(desk, changesAt).isOpen).toBe(!isOpen);
    }),
    { numRuns: 300 },
  );
});

test('what is no week and no day is refused', () => {
  expect(isWeek(WEEKDAYS)).toBe(true);
  expect(areDays({ '2026-12-25': [], '2026-12-24': [['09:00', '12:00']] })).toBe(true);
  for (const wrong of [
    null,
    [],
    WEEKDAYS.slice(1),
    every(['9:00', '18:00']),
    every(['09:00', '24:00']),
    [...WEEKDAYS.slice(1), null],
  ])
    expect(isWeek(wrong)).toBe(false);
  for (const wrong of [
    null,
    [],
    { '25.12.2026': [] },
    { '2026-13-01': [] },
    { '2026-12-25': null },
    { '2026-12-25': [['09:00']] },
  ])
    expect(areDays(wrong)).toBe(false);
});
