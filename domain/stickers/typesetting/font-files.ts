import sans from '@fontsource-variable/noto-sans/unicode.json' with { type: 'json' };
import arabic from '@fontsource-variable/noto-sans-arabic/unicode.json' with { type: 'json' };
import hebrew from '@fontsource-variable/noto-sans-hebrew/unicode.json' with { type: 'json' };
import japanese from '@fontsource-variable/noto-sans-jp/unicode.json' with { type: 'json' };
import chinese from '@fontsource-variable/noto-sans-sc/unicode.json' with { type: 'json' };

/** A file of a typeface, which has the characters of a part of Unicode. */
export interface FontFile {
  /** From the folder `@fontsource-variable`. */
  readonly path: string;
  /** The language whose forms of Chinese characters the file has, in BCP 47. */
  readonly language?: 'ja' | 'zh-Hans';
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/** A package's `unicode.json`: its files, and ranges such as `U+0600-06FF,U+200C`. */
type UnicodeRanges = Readonly<Record<string, string>>;

function filesOf(family: string, ranges: UnicodeRanges, language?: FontFile['language']): readonly FontFile[] {
  return Object.entries(ranges).map(([name, range]) => ({
    // Numbered files have their number in brackets.
    path: `${family}/files/${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`,
    ...(language !== undefined && { language }),
    ranges: range.split(',').map((part) => {
      const [first = '', last = first] = part.slice('U+'.length).split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
    }),
  }));
}

/** The numbered files alone: the others repeat Latin. */
function numbered(ranges: UnicodeRanges): UnicodeRanges {
  return Object.fromEntries(Object.entries(ranges).filter(([name]) => name.startsWith('[')));
}

// Latin first, so that a file with its own digits and signs does not change those of a line in two scripts.
const ALPHABETS: readonly FontFile[] = [
  ...filesOf('noto-sans', sans).toSorted((one, other) => rank(one) - rank(other)),
  ...filesOf('noto-sans-hebrew', { hebrew: hebrew.hebrew }),
  ...filesOf('noto-sans-arabic', { arabic: arabic.arabic }),
];
const JAPANESE = filesOf('noto-sans-jp', numbered(japanese), 'ja');
const CHINESE = filesOf('noto-sans-sc', numbered(chinese), 'zh-Hans');

/** Letters with signs of several files are in the first that has all of them: the file of basic Latin where it can be. */
function rank({ path }: FontFile): number {
  return path.includes('-latin-wght') ? 0 : 1;
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Returns the files for a text, in the order in which they are tried. Japanese and Chinese write many of the same
 * characters in different forms: kana show that a text is Japanese; without kana the first of both in `languages`, the
 * reader's own, decides.
 */
export function fontFilesFor(text: string, languages: readonly string[]): readonly FontFile[] {
  const first = languages.map((tag) => tag.split('-')[0]).find((language) => language === 'ja' || language === 'zh');
  const isJapanese = KANA.test(text) || first === 'ja';
  return [...ALPHABETS, ...(isJapanese ? [...JAPANESE, ...CHINESE] : [...CHINESE, ...JAPANESE])];
}

export function hasCharacter({ ranges }: FontFile, character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return ranges.some(([first, last]) => first <= point && point <= last);
}
