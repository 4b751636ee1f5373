/**
 * The characters that sheets can print, by their width in thousandths of the type size: Helvetica Bold in the encoding
 * WinAnsi, which every PDF reader has. From Adobe's metrics of the 14 core fonts.
 */
const WIDTHS: readonly (readonly [width: number, characters: string])[] = [
  [238, "'"],
  [278, ' ,./I\\ijl·ÌÍÎÏìíîï‚‘’'],
  [280, '|¦'],
  [333, '!()-:;[]`ft¡¨¯²³´¸¹ˆ‹˜›'],
  [350, '•'],
  [365, 'º'],
  [370, 'ª'],
  [389, '*r{}'],
  [400, '°'],
  [474, '"'],
  [500, 'z„“”ž'],
  [556, '#$0123456789J_aceksvxy¢£¤¥§«¶»àáâãäåçèéêëýÿ€ƒ†‡–šŸ'],
  [584, '+<=>^~¬±×÷'],
  [611, '?FLTZbdghnopquµ¿ßðñòóôõöøùúûüþŽ'],
  [667, 'EPSVXYÈÉÊËÝÞŠ'],
  [722, '&ABCDHKNRUÀÁÂÃÄÅÇÐÑÙÚÛÜ'],
  [737, '©®'],
  [778, 'GOQwÒÓÔÕÖØ'],
  [833, 'M'],
  [834, '¼½¾'],
  [889, '%mæ'],
  [944, 'Wœ'],
  [975, '@'],
  [1000, 'Æ…‰Œ—™'],
];

const widthOf: ReadonlyMap<string, number> = new Map(
  WIDTHS.flatMap(([width, characters]) => Array.from(characters, (character) => [character, width] as const)),
);

/** Returns each character of the text, normalized to NFC, that sheets cannot print: once, in the order of the text. */
export function unprintableCharacters(text: string): readonly string[] {
  return [...new Set(text.normalize())].filter((character) => !widthOf.has(character));
}

/** Returns the width of a printable text, normalized to NFC, in parts of its type size. */
export function textWidth(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (widthOf.get(character) ?? 1_000), 0) / 1_000;
}
