import { stickersWords } from '#words/stickers.ts';
import { isolateName } from '../../isolate-name.ts';
import type { LabelFormat } from '../../stickers/label-formats.ts';
import { codePointOf } from '../../stickers/line-text.ts';
import { inInches } from './inches.ts';

/** The texts of the screen for printing stickers, where lists, sizes, and places are written as the language does. */
export function stickerTexts(language: { readonly tag: string }) {
  const words = stickersWords(language);
  const { labelDetails, pages } = words;
  const number = new Intl.NumberFormat(language.tag, { maximumFractionDigits: 1 });
  const list = new Intl.ListFormat(language.tag);

  /** A size in millimeters. */
  const size = (width: number, height: number) =>
    words.size({ width: number.format(width), height: number.format(height) });

  /** The size of a label: on sheets of US Letter in inches first, as on their packages. */
  function labelSize({ page, shape, width, height }: LabelFormat): string {
    const isRound = shape === 'round';
    const millimeters = isRound ? labelDetails.diameter(number.format(width)) : size(width, height);
    if (page !== 'letter') return millimeters;
    return labelDetails.inches({
      inches: (isRound ? [width] : [width, height]).map(inInches).join(' × '),
      millimeters,
    });
  }

  return {
    ...words,
    size,
    measuredPages: { ...pages, ...words.measuredPages },

    /** A sticker of an item's; `place` counts from 1, which is its own. */
    stickerOf: (item: string, place: number) =>
      place === 1 ? item : words.stickerOf({ item: isolateName(item), place }),

    formatDetails(format: LabelFormat, perPage: number): string {
      const { page, shape } = format;
      const label = shape === 'round' ? labelDetails.round(labelSize(format)) : labelSize(format);
      return page === 'label'
        ? labelDetails.onRoll(label)
        : labelDetails.onSheet({ label, count: perPage, page: pages[page] });
    },

    unprintable(characters: readonly string[]): string {
      const named = characters.map((character) =>
        words.unprintableCharacter({ character: isolateName(character), codePoint: codePointOf(character) }),
      );
      return words.unprintable({ count: named.length, characters: list.format(named) });
    },

    tooSmall: (items: readonly string[]) => words.tooSmall(list.format(items)),
    unreadable: (items: readonly string[]) => words.unreadable(list.format(items)),
  };
}
