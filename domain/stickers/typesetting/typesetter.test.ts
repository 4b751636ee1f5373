import { readFile } from 'node:fs/promises';
import { Face, Font, Blob as FontBlob } from 'harfbuzzjs';
import { expect, test } from 'vitest';
import { woff2Decode } from 'woff-lib/woff2/decode';
import { fontFilesFor } from './font-files.ts';
import { runsOf, visualOrder } from './runs.ts';
import { shapeLine } from './shape-line.ts';
import { createTypesetter } from './typesetter.ts';

const load = (path: string): Promise<Uint8Array> =>
  readFile(new URL(import.meta.resolve(`@fontsource-variable/${path}`)));
const typeset = createTypesetter({ load, languages: ['en'] });

/** The outlines of a text that can be printed. */
async function outlined(text: string, languages?: readonly string[]) {
  const set = await (languages === undefined ? typeset : createTypesetter({ load, languages }))(text);
  return set.kind === 'set' ? set.text : expect.unreachable(set.characters.join());
}

/** The glyphs of a text from left to right: of which character each is, and its number in the font. */
async function glyphsOf(text: string) {
  const { runs } = runsOf(text, fontFilesFor(text, []));
  const fonts = new Map<string, Font>();
  for (const { file } of runs) {
    fonts.set(file.path, new Font(new Face(new FontBlob(await woff2Decode(await load(file.path))))));
  }
  const { glyphs } = shapeLine(text, visualOrder(runs), ({ file }) => fonts.get(file.path) ?? expect.unreachable());
  return glyphs.map(({ id, cluster }) => ({ id, of: text[cluster] }));
}

/** The points of a path that are its corners or direct its curves. */
function pointsOf(path: string) {
  const values = Array.from(path.matchAll(/-?\d+/g), Number);
  return Array.from({ length: values.length / 2 }, (_, at) => ({ x: values[2 * at] ?? 0, y: values[2 * at + 1] ?? 0 }));
}

test.for([
  ['Latin', 'Żółw Dvořákové, Nguyễn Đức'],
  ['Greek', 'Κλειδιά του Γιώργου'],
  ['Cyrillic', 'Ключи Анны Ёлкиной'],
  ['Hebrew', 'המפתחות של דנה'],
  ['Arabic', 'مفاتيح سارة'],
  ['Devanagari', 'सीमा श्रीवास्तव की चाबियाँ'],
  ['Japanese', '鈴木さんのカギ「自転車」'],
  ['Chinese', '李明的自行车钥匙，请归还'],
] as const)('%s: every character is a glyph of a font, within the room of its line', async ([, text]) => {
  const glyphs = await glyphsOf(text);
  expect(glyphs.length).toBeGreaterThan(0);
  expect(glyphs.filter(({ id }) => id === 0)).toEqual([]);
  const { whole, halves } = await outlined(text);
  for (const { width, path } of [whole, ...halves]) {
    const points = pointsOf(path);
    expect(points.length).toBeGreaterThan(40);
    expect(Math.max(...points.map(({ y }) => y))).toBeLessThanOrEqual(275);
    expect(Math.min(...points.map(({ y }) => y))).toBeGreaterThanOrEqual(-975);
    expect(Math.min(...points.map(({ x }) => x))).toBeGreaterThan(-100);
    expect(Math.max(...points.map(({ x }) => x))).toBeLessThan(width * 1_000 + 100);
  }
});

test('Arabic letters take the forms in which they join, from right to left', async () => {
  // Alone, last, in the middle, and first.
  const forms = [...(await glyphsOf('ع')), ...(await glyphsOf('ععع'))];
  expect(new Set(forms.map(({ id }) => id)).size).toBe(4);
  expect(forms).toHaveLength(4);
  // An alef joins only to what is before it.
  expect((await glyphsOf('اد')).map(({ of }) => of)).toEqual(['د', 'ا']);
});

test('Devanagari has its conjuncts, and its signs where they are written', async () => {
  expect(await glyphsOf('क्ष')).toHaveLength(1);
  // The vowel i is spoken after its consonant and written before it.
  const [ka] = await glyphsOf('क');
  const ki = await glyphsOf('कि');
  expect(ki).toHaveLength(2);
  expect(ki[1]?.id).toBe(ka?.id);
  // An r before a consonant is a hook above it.
  const rka = await glyphsOf('र्क');
  expect(rka[0]?.id).toBe(ka?.id);
  expect(rka).toHaveLength(2);
});

test('a text in two directions is ordered as it is read', async () => {
  const order = async (text: string) => (await glyphsOf(text)).map(({ of }) => of).join('');
  expect(await order('אבג')).toBe('גבא');
  // Brackets are those of the text, and their glyphs mirrored ones.
  expect(await order('אב 12 (Sa) ג')).toBe('ג )Sa( 12 בא');
  expect(await order('Key אב 12!')).toBe('Key 12 בא!');
  // A bracket opens toward what it holds, in either direction.
  const [close] = await glyphsOf(')');
  expect((await glyphsOf('(א')).at(-1)).toEqual({ id: close?.id, of: '(' });
});

test('each character that no font has is named once, in the order of the text', async () => {
  expect(await typeset('Ключ 🙂 и 𐎀 🙂')).toEqual({ kind: 'refused', characters: ['🙂', '𐎀'] });
  expect(await typeset('ключ\t')).toEqual({ kind: 'refused', characters: ['\t'] });
  expect(await typeset('กุญแจ')).toEqual({ kind: 'refused', characters: ['ก', 'ุ', 'ญ', 'แ', 'จ'] });
  // A mark that no font has together with this letter.
  expect(await typeset('ب\u0301')).toEqual({ kind: 'refused', characters: ['\u0301'] });
  // Signs that only direct others have no form that could be missing.
  expect(await typeset('א\u200fב\u2067ג\u2069')).toMatchObject({ kind: 'set' });
});

test('Chinese characters have the forms of the text’s language, or else of the reader’s', async () => {
  const path = async (text: string, languages: readonly string[]) => (await outlined(text, languages)).whole.path;
  const chinese = await path('直', ['en-US', 'zh-CN', 'ja']);
  expect(await path('直', ['en'])).toBe(chinese);
  const japanese = await path('直', ['fr', 'ja-JP', 'zh']);
  expect(japanese).not.toBe(chinese);
  expect((await path('直の', ['zh-CN'])).startsWith(japanese)).toBe(true);
});

test('a line is broken at a space, and Chinese and Japanese where they may be', async () => {
  const widths = async (text: string) => (await outlined(text)).halves.map(({ width }) => Math.round(width));
  expect(await widths('钥匙，请归还')).toEqual([3, 3]);
  // Not in the middle: the comma stays with what is before it.
  expect(await widths('钥匙钥，请归')).toEqual([2, 4]);
  expect(await widths('「鍵です」')).toEqual([2, 3]);
  const greek = await outlined('Κλειδιά');
  expect(greek.halves).toEqual([greek.whole]);
});

test('only the fonts that a text needs are loaded, once, and a failure is not kept', async () => {
  const loaded: string[] = [];
  let isOffline = true;
  const set = createTypesetter({
    load: (path) => {
      if (isOffline) return Promise.reject(new Error('No connection.'));
      loaded.push(path);
      return load(path);
    },
    languages: [],
  });
  await expect(set('Ключ')).rejects.toThrow('No connection.');
  isOffline = false;
  expect(await set('Ключ')).toMatchObject({ kind: 'set' });
  expect(await set('Ключи')).toMatchObject({ kind: 'set' });
  expect(loaded).toEqual(['noto-sans/files/noto-sans-cyrillic-wght-normal.woff2']);
});
