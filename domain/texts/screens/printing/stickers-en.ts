import { isolateName } from '../../../isolate-name.ts';
import type { LabelFormat } from '../../../stickers/label-formats.ts';
import { codePointOf } from '../../../stickers/line-text.ts';
import type { Measure, MeasuredLabels } from '../../../stickers/measured-labels.ts';
import type { PaperSize, StickerSize } from '../../../stickers/plain-paper.ts';
import { inchesEn } from './inches-en.ts';

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const list = new Intl.ListFormat('en');

const places = new Intl.PluralRules('en', { type: 'ordinal' });
const ORDINAL_ENDINGS: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  zero: 'th',
  one: 'st',
  two: 'nd',
  few: 'rd',
  many: 'th',
  other: 'th',
};

/** A size in millimeters. */
const size = (width: number, height: number) => `${number.format(width)} × ${number.format(height)} mm`;

/** The size of a label: on sheets of US Letter in inches first, as on their packages. */
function labelSize(page: LabelFormat['page'], ...sides: readonly number[]): string {
  const millimeters = `${sides.map((side) => number.format(side)).join(' × ')} mm`;
  return page === 'letter' ? `${sides.map(inchesEn).join(' × ')} in (${millimeters})` : millimeters;
}

const pages: Readonly<Record<PaperSize, string>> = { a4: 'A4', letter: 'US Letter' };

/** Texts of the screen for printing stickers, in English. */
export const stickersEn = {
  lead: 'Choose your items, choose your paper, and print. You don’t need special paper: scissors and clear tape will do.',
  loadFailed: 'We couldn’t load your items',
  loadFailedText: 'Please check your connection. We’ll keep trying.',
  emptyText:
    'You have no items yet. Tag one and print its sticker, or print blank stickers first and tag things later.',
  emptyLink: 'Tag an item',
  size,

  itemsLegend: 'Items that get a sticker',
  itemsTitle: '1. What for?',
  chosen: (count: number, all: number) => `${count} of ${all} chosen`,
  chooseAll: 'Choose all',
  chooseNone: 'Choose none',
  searchItems: 'Search your items',
  noItemFound: 'No item has this name.',
  /** A sticker of an item's; `place` counts from 1, which is its own. */
  stickerOf: (item: string, place: number) =>
    place === 1 ? item : `${isolateName(item)} (${place}${ORDINAL_ENDINGS[places.select(place)]} sticker)`,
  copies: 'Stickers for each item',
  copiesHint: 'A suitcase or a bike can carry its sticker in several places.',
  copiesProblem: (most: number) => `Please enter a number from 1 to ${most}.`,

  sourceLegend: 'What the stickers are for',
  sources: {
    items: { name: 'Your items', text: 'Stickers for things that you have tagged.' },
    blank: { name: 'Blank stickers', text: 'Stick them on now, and tag each thing when you scan its sticker.' },
  },
  blank: {
    lead: 'A blank sticker is yours from the start: anyone who finds it can reach you. Scan it to say what it’s on.',
    legend: 'Blank stickers to print',
    made: (count: number, moment: string) => `${count} unused, made ${moment}`,
    count: 'How many new ones?',
    countHint: 'They stay yours, and you can print them again.',
    countProblem: (most: number) => `Please enter a number from 1 to ${most}.`,
    make: (count: number) => (count === 1 ? 'Make 1 blank sticker' : `Make ${count} blank stickers`),
    making: 'Making...',
    ready: (count: number) => (count === 1 ? '1 blank sticker is ready' : `${count} blank stickers are ready`),
    makeFailed: 'We couldn’t make them. Please check your connection and try again.',
    noRoom: 'Your account doesn’t have room for that many stickers. Use some first, or discard what you lost.',
    full: (most: number) => `You can keep up to ${most} blank stickers. Use some, or discard those that you lost.`,
    discardOf: (count: number, moment: string) => `Discard ${count} unused, made ${moment}`,
    discardTitle: (count: number) => (count === 1 ? 'Discard 1 blank sticker?' : `Discard ${count} blank stickers?`),
    discardText:
      'Those that are printed no longer lead to you. Someone who finds them may use them for their own things, so destroy what is left of the sheet. Stickers that are on an item stay.',
    discard: 'Discard',
    discarding: 'Discarding...',
    discarded: 'Discarded',
    discardFailed: 'We couldn’t discard them. Please try again.',
    keep: 'Keep',
  },

  paperTitle: '2. What do you print on?',
  paperLegend: 'What you print on',
  papers: {
    plain: { name: 'Plain paper', text: 'Cut the stickers out, and fix them with clear tape.' },
    labels: { name: 'Label sheets or rolls', text: 'Ready-cut labels from a store. Their number is on the package.' },
    measured: { name: 'Labels of another size', text: 'We don’t know their number? Measure them with a ruler.' },
    single: { name: 'One sticker, no sheet', text: 'A file for a label printer or a print shop.' },
  },
  pageLabel: 'Paper',
  pages,
  sizeLabel: 'Size of a sticker',
  sizes: {
    small: (dimensions: string) => `Small: keys (${dimensions})`,
    medium: (dimensions: string) => `Medium: bottles (${dimensions})`,
    large: (dimensions: string) => `Large: laptops (${dimensions})`,
    extraLarge: (dimensions: string) => `Extra large: luggage (${dimensions})`,
  } satisfies Record<StickerSize, (dimensions: string) => string>,
  formatSearch: 'Brand, number, shape, or size',
  formatExample: 'Such as Avery 5160',
  formatChosen: (name: string, details: string) => `Labels: ${name}, ${details}`,
  formatHint: 'The number is on the package, such as Avery 5160, L7160, or DYMO 30332.',
  formatNone: 'We don’t know these labels. Choose “Labels of another size” and measure them.',
  formatName: (brand: string, part: string) => `${brand} ${part}`,
  formatDetails: ({ width, height, page, shape }: LabelFormat, perPage: number) =>
    [
      shape === 'round' ? `Round, ${labelSize(page, width)}` : labelSize(page, width, height),
      page === 'label' ? 'on a roll' : `${perPage} on a sheet of ${pages[page]}`,
    ].join(', '),

  measuredLegend: 'Your labels, in millimeters',
  measuredPages: { ...pages, label: 'A roll, one label after the other' } satisfies Record<
    MeasuredLabels['page'],
    string
  >,
  shapeLabel: 'Shape of a label',
  shapes: { rectangle: 'Rectangle or square', round: 'Round' } satisfies Record<MeasuredLabels['shape'], string>,
  diameter: 'Diameter of a label',
  measured: {
    width: 'Width of a label',
    height: 'Height of a label',
    columns: 'Labels side by side',
    rows: 'Labels below each other',
    left: 'Paper’s left edge to the first label',
    top: 'Paper’s top edge to the first label',
    gapX: 'Gap between labels side by side',
    gapY: 'Gap between labels below each other',
  } satisfies Record<Measure, string>,
  measuredProblem: (least: number, most: number) => `Please enter a number from ${least} to ${most}.`,
  overflow: {
    width: 'Together, these labels are wider than the paper. Please measure again.',
    height: 'Together, these labels are taller than the paper. Please measure again.',
  },

  looksTitle: '3. What’s on it?',
  looksText: 'Every sticker has its QR code. Anyone who sees it can read the rest.',
  call: (call: string) => `“${call}”`,
  typedCode: 'The code to type, for finders who can’t scan',
  product: (product: string) => `The name “${product}”`,
  own: 'A line of your own (optional)',
  ownHint: 'Leave out your address and phone number: a finder reaches you through the code.',
  logo: {
    legend: 'Your logo (optional)',
    choose: 'Choose a picture',
    replace: 'Choose another',
    remove: 'Remove logo',
    alt: 'Your logo',
    hint: 'A PNG, JPEG, or SVG file. It stays on your device.',
    unreadable: 'We can’t read this file. Choose a picture, such as a PNG, JPEG, or SVG file.',
  },
  unprintable: (characters: readonly string[]) => {
    const named = characters.map((character) => `“${isolateName(character)}” (${codePointOf(character)})`);
    return `${named.length === 1 ? `The character ${named[0]}` : `The characters ${list.format(named)}`} can’t be printed. Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Japanese, and Chinese letters can.`;
  },
  color: 'Color',
  colors: {
    black: 'Black',
    green: 'Green',
    blue: 'Blue',
    purple: 'Purple',
    red: 'Red',
  },
  ownColor: 'Your own',
  colorTooLight: 'This color is too light on white paper. Cameras couldn’t read the code.',

  previewTitle: '4. Check and print',
  preview: (page: number, pages: number) => `Page ${page} of ${pages}, as it’s printed`,
  previousPage: 'Previous page',
  nextPage: 'Next page',
  firstLabel: 'Have you used this sheet before? Tap the first label that’s still there.',
  firstLabelLegend: 'First label to print on',
  labelPlace: (label: number, row: number, column: number) => `Label ${label}, row ${row}, column ${column}`,
  closeUp: (dimensions: string) => `One sticker, enlarged. It’s ${dimensions}.`,
  closeUpPicture: (item: string) => `The sticker of ${item}`,
  noneChosen: 'Choose what to print, and you’ll see it here.',
  total: (stickers: number, pages: number) =>
    `${stickers === 1 ? '1 sticker' : `${stickers} stickers`} on ${pages === 1 ? '1 page' : `${pages} pages`}.`,
  tooMany: (most: number) => `That’s too many at once. Please print at most ${most} stickers at a time.`,

  checking: 'We’re checking that each code can be scanned...',
  checked: (count: number) =>
    count === 1
      ? 'We scanned the code as a test, and it works.'
      : `We scanned all ${count} codes as a test, and they work.`,
  settingLetters: 'We’re getting the letters for your line...',
  lettersFailed: 'We couldn’t get the letters for your line. Check your connection and try again.',
  unchecked: 'We couldn’t check the codes, so we don’t offer them for printing.',
  tooSmall: (items: readonly string[]) =>
    `These labels are too small for the code of ${list.format(items)}. Choose a larger size.`,
  unreadable: (items: readonly string[]) =>
    `The code of ${list.format(items)} can’t be scanned like this, so it isn’t printed. Choose a larger size or a darker color.`,
  noRoom: {
    own: 'There’s no room for your own line.',
    call: 'There’s no room for the words to the finder.',
    'typed-code': 'There’s no room for the code to type.',
    product: 'There’s no room for the name.',
    logo: 'There’s no room for your logo.',
  },

  print: 'Print',
  printHint: 'In the print dialog, choose 100% or “Actual size”, so that the stickers print at their true size.',
  printHintLabels: 'In the print dialog, choose 100% or “Actual size”. Otherwise the print misses the labels.',
  download: { pdf: 'Download as PDF', svg: 'Download as SVG', png: 'Download as PNG' },
  /** Of this page's sticker alone. */
  pictureHint: 'SVG and PNG contain only the sticker shown.',
  downloadFailed: 'We couldn’t make the file. Please try again.',
  fileName: 'stickers',

  alignment: 'Print a little off?',
  alignmentText:
    'Many printers are off by a millimeter. A test page shows by how much. It never has the correction below, so you can print it again at any time.',
  alignmentSteps: {
    sheet: [
      'Print the test page at 100% on plain paper.',
      'Lay it over a sheet of labels and hold both against a window.',
      'Look at the first label, at the upper left. The scales over its edges are in millimeters, and its printed outline is 0.',
      'Read the number where the real label’s edge crosses each scale: one across, one down. Enter both.',
    ],
    label: [
      'Print the test page at 100% on one of the labels.',
      'The scales at its edges are in millimeters. Their 0 belongs on the edge itself.',
      'If the print is off, an edge cuts a scale. Read the number at the cut: one across, one down. Enter both.',
    ],
  },
  printTestPage: 'Print the test page',
  readAcross: 'Number across, in mm',
  readDown: 'Number down, in mm',
  offsetHint: 'Such as 0.7 or -1.2. This browser remembers it.',
  offsetProblem: (most: number) => `Please enter a number from -${most} to ${most}.`,
};
