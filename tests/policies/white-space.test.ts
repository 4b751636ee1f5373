import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstName } from '#domain/item/first-name.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { assertProperty } from '#tests/support/long-runs.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

/** What is white space, and what is a name, is the same in the browser and in the database. */
const database = await createTestDatabase();

const every = Array.from({ length: 0xffff }, (_, at) => at + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCharCode(code));
const digitsBeyond = Array.from({ length: 0x10ffff - 0xffff }, (_, at) => String.fromCodePoint(0x10000 + at)).filter(
  (character) => /\p{Decimal_Number}/u.test(character),
);

async function inDatabase(expression: string, texts: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ result: string }>(
    `select ${expression} as result from unnest($1::text[]) with ordinality as given (text, place) order by place`,
    [texts],
  );
  return rows.map(({ result }) => result);
}

test('both sides trim the same characters, one by one', async () => {
  const around = every.map((character) => `${character}a${character}`);
  expect(await inDatabase('internal.trim_blanks(text)', around)).toEqual(around.map(trimBlanks));
});

test('both sides split names at the same characters, and read the same digits and marks, one by one', async () => {
  const names = [...every, ...digitsBeyond].flatMap((character) => [
    `a${character}b`,
    `12345${character}`,
    `${character}1`,
  ]);
  const onPages = names.map((name) => firstName(name) ?? 'Item Owner');
  expect(await inDatabase('internal.first_name(text)', names)).toEqual(onPages);
});

test('for any name both sides show the same [K73]', async () => {
  const part = fc.constantFrom(
    ...[
      'Maya',
      'Cohen',
      ' ',
      '\u00a0',
      '\u200b',
      '\u200c',
      '\u2060',
      '\u3000',
      '@',
      '＠',
      '.',
      '-',
      '/',
      '\\',
      ':',
      '+972',
    ],
    ...['50', '1234567', '٠٥', '０', '𝟎', 'www.', 'WWW.', '(', ')', '’', '🔑', 'e\u0301', 'ﷺ', '½', 'İ'],
  );
  const names = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  await assertProperty(
    fc.asyncProperty(fc.array(names, { minLength: 100, maxLength: 100 }), async (texts) => {
      const onPages = texts.map((text) => firstName(text) ?? 'Item Owner');
      expect(await inDatabase('internal.first_name(text)', texts)).toEqual(onPages);
    }),
    { short: 20, long: 300 },
  );
});
