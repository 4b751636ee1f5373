import type { LabelFormat } from '#domain/stickers/label-formats.ts';

const SHEET = `  1. Print it at 100% on plain paper, without "fit to page".
  2. Lay it over a sheet of the labels and hold both against the light.
  3. The first label, at the upper left, has scales in millimeters over its edges. Its printed outline is 0.
  4. Read the number where the real label's edge crosses each scale: one across, one down.
`;

const LABEL = `  1. Print it at 100% on one of the labels, without "fit to page".
  2. At its edges are scales in millimeters. Their 0 belongs on the edge itself.
  3. If the print is off, an edge cuts a scale. Read the number at the cut: one across, one down.
`;

const OPTIONS = `
Give both in tenths of a millimeter to "stickers create" and "stickers print": +0.5 across and -1 down are
--offset-x=5 --offset-y=-10. The test page itself never has them, so printed again it shows the same numbers.
`;

/** Returns how to read the page that shows how far a printer is off. */
export function describeCalibration({ page }: LabelFormat): string {
  return (page === 'label' ? LABEL : SHEET) + OPTIONS;
}
