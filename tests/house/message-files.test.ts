import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { compileWords } from '#tools/words/compile-words.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

type Messages = Readonly<Record<string, unknown>>;

/** Writes message files, by path in `domain/words`, to a folder of their own. */
function writeWords(files: Readonly<Record<string, Messages>>): string {
  const root = mkdtempSync(join(tmpdir(), 'reunite-words-'));
  roots.push(root);
  for (const [path, messages] of Object.entries(files)) {
    const file = join(root, 'domain/words', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ '@@locale': dirname(path), ...messages }));
  }
  cpSync(
    join(import.meta.dirname, '../../domain/words/message-functions.ts'),
    join(root, 'domain/words/message-functions.ts'),
  );
  return root;
}

/** Imports what a compiled module exports. The caller names its type. */
async function compiled<Words>(root: string, part: string, name: string): Promise<Words> {
  const module: Readonly<Record<string, Words>> = await import(join(root, 'domain/words/compiled', part));
  const words = module[name];
  if (words === undefined) throw new Error(`${part} has no ${name}.`);
  return words;
}

const ENGLISH = {
  title: 'Lost things',
  'owner.wrote': '{owner} wrote',
  'owner.unread': '{count, plural, =0 {Nothing new} one {# new message} other {# new messages}} from {owner}',
  link: 'Look <again>here</again> later.',
  kind: '{kind, select, bag {A bag} other {A thing}}',
};

describe('compiled messages', () => {
  test('are texts, functions of their parameters, and parts of a page', async () => {
    const root = writeWords({ 'en/lost-things.arb': ENGLISH });
    compileWords(root);
    const words = await compiled<{
      readonly owner: {
        readonly wrote: (owner: string) => string;
        readonly unread: (words: { readonly count: number; readonly owner: string }) => string;
      };
      readonly link: (again: (words: string) => object) => unknown;
      readonly kind: (kind: string) => string;
    }>(root, 'en/lost-things.ts', 'lostThings');
    expect(words).toEqual({
      title: 'Lost things',
      owner: { wrote: expect.any(Function), unread: expect.any(Function) },
      link: expect.any(Function),
      kind: expect.any(Function),
    });
    expect(words.owner.wrote('Dana')).toBe('Dana wrote');
    expect([0, 1, 1_200].map((count) => words.owner.unread({ count, owner: 'Dana' }))).toEqual([
      'Nothing new from Dana',
      '1 new message from Dana',
      '1,200 new messages from Dana',
    ]);
    expect(words.link((text) => ({ text }))).toEqual(['Look ', { text: 'here' }, ' later.']);
    expect([words.kind('bag'), words.kind('pen')]).toEqual(['A bag', 'A thing']);
  });

  test('count and write numbers as their language does', async () => {
    const one = '{count, plural, one {# book} other {# books}}';
    const arabic = '{count, plural, zero {0 #} one {1 #} two {2 #} few {f #} many {m #} other {o #}}';
    const root = writeWords({ 'en/books.arb': { books: one }, 'ar-EG/books.arb': { books: arabic } });
    compileWords(root);
    const { books: count } = await compiled<{ readonly books: (count: number) => string }>(
      root,
      'ar-EG/books.ts',
      'books',
    );
    expect([0, 1, 2, 3, 11, 100].map(count)).toEqual(['0 ٠', '1 ١', '2 ٢', 'f ٣', 'm ١١', 'o ١٠٠']);
  });

  test('isolate what a sentence from right to left is given, and not what phones read in an SMS [K29]', async () => {
    const messagesWith = (few: string) => ({
      wrote: `{count, plural, one {{owner} wrote}${few} other {# from {owner}}}`,
      rich: 'By <bold>{owner}</bold>',
      'sms.code': '{code} for {product}: {link}',
    });
    const root = writeWords({ 'en/told.arb': messagesWith(''), 'he/told.arb': messagesWith(' two {# from {owner}}') });
    compileWords(root);
    const wordsIn = (language: string) =>
      compiled<{
        readonly wrote: (words: { readonly count: number; readonly owner: string }) => string;
        readonly rich: (words: { readonly bold: (words: string) => string; readonly owner: string }) => string[];
        readonly sms: { readonly code: (words: object) => string };
      }>(root, `${language}/told.ts`, 'told');
    const sms = { code: '123456', product: 'Reunite', link: 'https://example.com' };
    const said = async (language: string) => {
      const { wrote, rich, sms: texts } = await wordsIn(language);
      const bold = (words: string) => words;
      return [wrote({ count: 1, owner: 'Dana' }), ...rich({ bold, owner: 'Dana' }), texts.code(sms)];
    };
    expect(await said('en')).toEqual(['Dana wrote', 'By ', 'Dana', '123456 for Reunite: https://example.com']);
    expect(await said('he')).toEqual([
      '\u2068Dana\u2069 wrote',
      'By ',
      '\u2068Dana\u2069',
      '123456 for \u2068Reunite\u2069: https://example.com',
    ]);
  });

  test('keep every character of a text, also those with a meaning in code', async () => {
    const odd = ['a`b$', '{c}', '\\d “e” \u2028 \n’'];
    // Braces stand for themselves between straight apostrophes.
    const text = odd.join("'");
    const root = writeWords({ 'en/odd.arb': { plain: text, hole: `${text}{name}` } });
    compileWords(root);
    const { plain, hole } = await compiled<{ readonly plain: string; readonly hole: (name: string) => string }>(
      root,
      'en/odd.ts',
      'odd',
    );
    expect(plain).toBe(odd.join(''));
    expect(hole('!')).toBe(`${plain}!`);
  });
});

describe('a message file with a fault stops the build, which names the file and the key:', () => {
  const faultsOf = (german: Messages) => {
    const root = writeWords({ 'en/lost.arb': ENGLISH, 'de/lost.arb': { ...ENGLISH, ...german } });
    try {
      compileWords(root);
    } catch (error) {
      return String(error).split('\n').slice(1);
    }
    return [];
  };

  test('none has no fault', () => {
    expect(faultsOf({})).toEqual([]);
  });

  test.each([
    ['a message is missing', { title: undefined }, 'title: this message is missing'],
    ['a parameter is missing', { 'owner.wrote': 'Schrieb' }, 'owner.wrote: {owner} is missing'],
    ['a parameter is mistyped', { title: '{owner} da' }, 'title: English has no {owner}'],
    ['a message has another key', { titel: 'Da' }, 'titel: English has no such message'],
    [
      'a plural lacks a form',
      { 'owner.unread': '{owner} {count, plural, other {#}}' },
      'owner.unread: its plural needs one other',
    ],
    [
      'a plural has a form too many',
      { 'owner.unread': '{owner} {count, plural, one {#} few {#} other {#}}' },
      'owner.unread: its plural needs one other',
    ],
    ['a number is written as a text', { 'owner.unread': '{owner} {count}' }, 'owner.unread: {count} is a number'],
    ['a brace is open', { title: 'Da {' }, 'title: EXPECT_ARGUMENT_CLOSING_BRACE'],
    ['a text is empty', { title: '' }, 'title: a message is a text that is not empty'],
    ['a link is missing', { link: 'Hier' }, 'link: {again} is missing'],
    ['a choice lacks a word', { kind: '{kind, select, other {Da}}' }, 'kind: {kind} is a choice of bag, other'],
    ['it is of another language', { '@@locale': 'nl' }, '@@locale: this must be "de"'],
  ])('%s', (_, german, fault) => {
    expect(faultsOf(german)).toContain(`domain/words/de/lost.arb: ${fault}`);
  });

  test('two types of items have one name', () => {
    const root = writeWords({ 'en/shared.arb': { 'itemTypes.bag': 'Bag', 'itemTypes.suitcase': 'Bag' } });
    const fault = 'domain/words/en/shared.arb: itemTypes.suitcase: in some language, this is the name of another type';
    expect(() => compileWords(root)).toThrow(fault);
  });

  test('a file is missing', () => {
    const root = writeWords({ 'en/lost.arb': ENGLISH, 'en/found.arb': { title: 'Found' }, 'de/lost.arb': ENGLISH });
    expect(() => compileWords(root)).toThrow('domain/words/de/found.arb: this file is missing');
  });
});
