import { expect, test } from 'vitest';
import { instantOf } from './local-moment.ts';

test.each([
  ['2026-11-30T17:00', 'Asia/Jerusalem', '2026-11-30T15:00:00.000Z'],
  ['2026-07-01T17:00', 'Asia/Jerusalem', '2026-07-01T14:00:00.000Z'],
  ['2026-12-01T00:00', 'Asia/Tokyo', '2026-11-30T15:00:00.000Z'],
  ['2026-12-31T23:30', 'America/New_York', '2027-01-01T04:30:00.000Z'],
  ['2026-11-30T17:15', 'Asia/Kathmandu', '2026-11-30T11:30:00.000Z'],
  // The hour after the clocks have changed.
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
  // An hour that is repeated: the first.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  // An hour that is skipped: as if it were not.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-04-24T00:00', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  // And west of UTC, where midnight is skipped.
  ['2026-09-06T00:00', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-09-06T00:30', 'America/Santiago', '2026-09-06T04:30:00.000Z'],
  ['2026-09-05T23:30', 'America/Santiago', '2026-09-06T03:30:00.000Z'],
  ['2026-09-06T01:00', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
])('%s in %s is %s', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant);
});

test.each([
  ['', 'UTC'],
  ['2026-13-01T00:00', 'UTC'],
  ['1999-12-31T23:00', 'UTC'],
  ['+275760-09-13T00:00', 'UTC'],
  ['2026-11-30', 'UTC'],
  ['2026-11-30T17:00Z', 'UTC'],
  ['2026-11-30T17:00', ''],
  ['2026-11-30T17:00', 'Mars/Olympus'],
  ['2026-11-30T17:00', '__proto__'],
])('%s in %s is no moment', (local, zone) => {
  expect(instantOf(local, zone)).toBeNull();
});
