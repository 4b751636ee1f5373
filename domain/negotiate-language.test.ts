import { expect, test } from 'vitest';
import { LANGUAGE_LIST } from './language-list.ts';
import { negotiateLanguage } from './negotiate-language.ts';

const TAGS = LANGUAGE_LIST.map(({ tag }) => tag);

test.each([
  ['he', 'he'],
  ['he-IL,he;q=0.9,en-US;q=0.8,en;q=0.7', 'he'],
  ['en-GB;q=0.8, he;q=0.9', 'he'],
  ['de-AT', 'de'],
  ['DE-at', 'de'],
  ['fr-CA, en;q=0.9', 'fr'],
  ['eo, fr;q=0.5', 'fr'],
  ['he;q=0, en;q=0.1', 'en'],
  ['iw-IL', 'he'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['pt', 'pt-BR'],
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt-PT'],
  ['pt-AO', 'pt-PT'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['zh-Hans-CN', 'zh-Hans'],
  ['in-ID', 'id'],
  ['hex', null],
  ['eo', null],
  ['*', null],
  ['*;q=0.5, de;q=0.1', 'de'],
  ['', null],
  [';;;=,,q', null],
  ['__proto__, constructor, toString', null],
  ['de;q=nonsense, fr;q=0.2', 'fr'],
  ['de;q=9, fr', 'de'],
])('Accept-Language: %s is served in %s', (header, tag) => {
  expect(negotiateLanguage(header, TAGS)).toBe(tag);
});

test('a client that names no language prefers none', () => {
  expect(negotiateLanguage(undefined, TAGS)).toBeNull();
});

test('a header that is made to cost much costs as little as a long one of a browser [K99]', () => {
  const hostile = [
    Array.from({ length: 5_000 }, (_, index) => `x${index};q=0.${index}`).join(','),
    'a-'.repeat(5_000),
    ','.repeat(10_000),
    `de${';q=1'.repeat(3_000)}`,
    '*,'.repeat(5_000),
  ];
  const startedAt = performance.now();
  for (let round = 0; round < 100; round += 1) for (const header of hostile) negotiateLanguage(header, TAGS);
  // 500 headers of 10 kB. A quadratic way would take minutes.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('no two languages have the same tag or name, and each says how it is written', () => {
  expect(LANGUAGE_LIST).toHaveLength(32);
  expect(new Set(TAGS).size).toBe(32);
  expect(new Set(LANGUAGE_LIST.map(({ name }) => name)).size).toBe(32);
  for (const { tag, direction } of LANGUAGE_LIST) {
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    expect(direction === 'rtl').toBe(
      /\p{Script=Hebrew}|\p{Script=Arabic}/u.test(LANGUAGE_LIST.find((language) => language.tag === tag)?.name ?? ''),
    );
  }
  expect(LANGUAGE_LIST.find(({ tier }) => tier === 'all')?.tag, 'whatever the others have').toBe('en');
});
