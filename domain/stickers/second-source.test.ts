import { expect, it } from 'vitest';
import { LABEL_FORMATS, labelFormat } from './label-formats.ts';
import { cellBox, cellsPerPage, pageSize } from './sheet-layout.ts';

/**
 * Formats whose figures are those of glabels-qt, and what LibreOffice 7.4 has for them, in hundredths of a millimeter:
 * `extras/source/labels/labels.xml` of https://git.libreoffice.org/core, which Debian 12 installs as
 * `/usr/lib/libreoffice/share/labels/labels.xml` (libreoffice-common 4:7.4.7). The order of the figures is the file's:
 * distances from one label to the next, across and down; width; height; left and upper margin; columns; rows.
 */
const LIBREOFFICE = {
  'avery-5159': ['5159 Address', 10638, 3810, 10160, 3810, 396, 635, 2, 7],
  'avery-5161': ['5161 Address', 10636, 2540, 10160, 2540, 396, 1270, 2, 10],
  'avery-5162': ['5162 Address', 10636, 3387, 10160, 3387, 396, 2117, 2, 7],
  'avery-5164': ['5164 Address / Shipping', 10636, 8467, 10160, 8467, 396, 1270, 2, 3],
  'avery-5168': ['5168 Shipping', 10160, 12700, 8890, 12700, 1270, 1270, 2, 2],
  'avery-5395': ['5395 Name Badge - White', 9525, 6350, 8573, 5926, 1748, 1482, 2, 4],
  'avery-6873': ['6873 Color Laser Address Labels', 10160, 5715, 9525, 5080, 953, 2858, 2, 4],
  'avery-3274.1': ['3111 Square Stickers', 6826, 7620, 6350, 6350, 795, 3175, 3, 3],
  'avery-3274.2': ['3112 Small Round Stickers', 5080, 5080, 3810, 3810, 1270, 1905, 4, 5],
  'avery-7165': ['L7165 Parcel', 10160, 6773, 9906, 6773, 467, 1304, 2, 4],
  'avery-8651': ['L7651 Mini Address', 4064, 2117, 3810, 2117, 467, 1090, 5, 13],
  'zweckform-3490': ['3490 Inkjet+Laser+Kopier-Etiketten', 7000, 3600, 7000, 3600, 0, 443, 3, 8],
  'zweckform-3669': ['3669 Inkjet+Laser+Kopier-Etiketten', 7000, 5080, 7000, 5080, 0, 2143, 3, 5],
  'zweckform-6091': ['6091 Korrektur- und Abdeck-Etiketten', 6460, 3380, 6460, 3380, 810, 1323, 3, 8],
} as const;

/** In millimeters. */
const TOLERANCE = 0.1;

it.each(Object.entries(LIBREOFFICE))('%s agrees with a second source within 0.1 mm', (id, figures) => {
  const format = labelFormat(id);
  if (format === null) throw new Error(`There is no format ${id}.`);
  const [, across, down, width, height, left, top, columns, rows] = figures;
  expect([format.columns, format.rows]).toEqual([columns, rows]);
  const ours = [format.pitchX, format.pitchY, format.width, format.height, format.left, format.top];
  const theirs = [across, down, width, height, left, top].map((hundredths) => hundredths / 100);
  for (const [at, length] of ours.entries())
    expect(Math.abs(length - (theirs[at] ?? 0))).toBeLessThanOrEqual(TOLERANCE);
});

it('has Avery’s labels of four inches, two in a row, at the same places across', () => {
  const places = LABEL_FORMATS.filter(
    ({ brand, page, width, columns }) => brand === 'Avery' && page === 'letter' && width === 101.6 && columns === 2,
  ).map(({ id, left, pitchX }) => [id, left, pitchX]);
  const ids = ['avery-5159', 'avery-5161', 'avery-5162', 'avery-5163', 'avery-5164', 'avery-5197'];
  expect(places).toEqual(ids.map((id) => [id, 3.969, 106.362]));
});

/** Sheets that only glabels-qt has, with other margins on the left than on the right. */
const UNEQUAL = ['avery-6570', 'avery-8195', 'avery-6121', 'avery-18036', 'zweckform-3348'];

it('leaves as much of a sheet free on the right as on the left', () => {
  const unequal = LABEL_FORMATS.filter(({ page }) => page !== 'label').filter((format) => {
    const last = cellBox(format, cellsPerPage(format) - 1);
    return Math.abs(pageSize(format).width - last.x - last.width - format.left) > 0.25;
  });
  expect(unequal.map(({ id }) => id)).toEqual(UNEQUAL);
});
