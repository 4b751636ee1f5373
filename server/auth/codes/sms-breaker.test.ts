import { expect, test } from 'vitest';
import { isSmsComingBack, type SentSms } from './sms-breaker.ts';

const NOW = 1_000_000_000;
const LIFE = 600_000;

const old = (count: number, cameBack: boolean): SentSms[] =>
  Array.from({ length: count }, (_, at) => ({ sentAt: NOW - LIFE - at, cameBack }));
const young = (count: number, cameBack = false): SentSms[] =>
  Array.from({ length: count }, () => ({ sentAt: NOW - LIFE + 1, cameBack }));

const judge = (codes: readonly SentSms[], isOpen = false) => isSmsComingBack(codes, { now: NOW, lifeMs: LIFE, isOpen });

test.each([
  ['no code at all', [], true],
  ['49 codes of which none came back', old(49, false), true],
  ['50 codes of which none came back', old(50, false), false],
  ['9 of the last 50 came back', [...old(41, false), ...old(9, true)], false],
  ['10 of the last 50 came back', [...old(40, false), ...old(10, true)], true],
  ['only those before the last 50 came back', [...old(50, true), ...old(50, false)], false],
  ['codes that may still be typed', [...old(30, false), ...young(20)], true],
  ['of the codes that may still be typed, enough came back', [...old(40, false), ...young(10, true)], true],
])('a range that sends: %s', (_, codes, expected) => {
  expect(judge(codes)).toBe(expected);
});

test.each([
  ['no trial yet', [], false],
  ['4 trials came back', old(4, true), false],
  ['5 trials came back', old(5, true), true],
  ['5 of the last 10', [...old(5, true), ...old(5, false)], true],
  ['4 of the last 10, whatever was before', [...old(6, true), ...old(6, false), ...old(4, true)], false],
])('a range that holds back: %s', (_, trials, expected) => {
  expect(judge(trials, true)).toBe(expected);
});
