import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeScannedValue } from './judge-scanned-value.ts';
import { isTagCode } from './tag-code.ts';

const OURS = ['lost.example', 'localhost:3000'];

it.each([
  'tgt-abc',
  ' tgt-abc ',
  'https://lost.example/tgt-abc',
  'HTTPS://LOST.EXAMPLE/?code=tgt-abc',
  'http://lost.example/tgt-abc',
  'http://localhost:3000/item/tgt-abc?x',
  '/item/tgt-abc',
])('%j contains a tag code', (value) => {
  expect(judgeScannedValue(value, OURS)).toEqual({ kind: 'code', code: 'tgt-abc' });
});

it.each([
  ['https://evil.example/tgt-abc', 'evil.example', 'tgt-abc'],
  ['//evil.example/tgt-abc', 'evil.example', 'tgt-abc'],
  ['\\\\evil.example/tgt-abc', 'evil.example', 'tgt-abc'],
  ['https:\\\\evil.example\\tgt-abc', 'evil.example', null],
  ['https://lost.example@evil.example/?code=tgt-abc', 'evil.example', 'tgt-abc'],
  ['https://lost.example.evil.example/', 'lost.example.evil.example', null],
  ['https://evil.example/', 'evil.example', null],
])('%j belongs to another site, which is named', (value, host, code) => {
  expect(judgeScannedValue(value, OURS)).toEqual({ kind: 'foreign', host, code });
});

it.each([
  'javascript:alert(1)',
  'javascript://lost.example/tgt-abc',
  'data:text/html,/item/tgt-abc',
  'WIFI:S:home;T:WPA;P:secret;;',
  'mailto:dana@lost.example?code=tgt-abc',
  'hello world',
  'https://lost.example/',
  'new-item',
  '',
])('%j is not recognized', (value) => {
  expect(judgeScannedValue(value, OURS)).toEqual({ kind: 'unreadable' });
});

it('returns a code that is safe in a path, or none, for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true })), (value) => {
      const judged = judgeScannedValue(value, OURS);
      if (judged.kind !== 'unreadable' && judged.code !== null) expect(isTagCode(judged.code)).toBe(true);
    }),
  );
});
