import { expect, test } from 'vitest';
import { desksWords } from '#words/desks.ts';
import { describeState } from '../desks/desk.ts';
import { deskStateInWords } from './desk-state-in-words.ts';

const NOW = Date.parse('2026-11-30T10:00Z');

test.each([
  ['Open until 6:00 PM', true, '2026-11-30T17:00Z'],
  ['Open until Tue 2:00 AM', true, '2026-12-01T01:00Z'],
  ['Opens 1:00 PM', false, '2026-11-30T12:00Z'],
  ['Opens Sun 9:00 AM', false, '2026-12-06T08:00Z'],
  ['Opens Mon, Dec 7, 9:00 AM', false, '2026-12-07T08:00Z'],
  ['Always open', true, null],
  ['Closed', false, null],
])('%s', (said, isOpen, at) => {
  const state = { isOpen, changesAt: at === null ? null : Date.parse(at) };
  const words = deskStateInWords(describeState(state, 'Europe/Berlin', NOW), 'en', desksWords({ tag: 'en' }));
  expect(words.replaceAll('\u202f', ' ')).toBe(said);
});
