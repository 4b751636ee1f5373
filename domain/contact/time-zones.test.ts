import { expect, it } from 'vitest';
import { COMMON_TIME_ZONES, isTimeZone } from './time-zones.ts';

it.each([...COMMON_TIME_ZONES, 'Europe/Vienna'])('takes %s', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

it.each(['', 'Moon/Base', '+02:00', 'Europe/Berlin\n'])('takes no %j', (name) => {
  expect(isTimeZone(name)).toBe(false);
});
