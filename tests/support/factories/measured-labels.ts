/** A row of `measured_labels` as an owner saves it: sheets of A4 with 40 labels. */
export const MEASURED_LABELS = {
  name: 'Jars in the cellar',
  page: 'a4',
  label_width: 52.5,
  label_height: 29.7,
  columns: 4,
  rows: 10,
  margin_left: 0,
  margin_top: 0,
  gap_x: 0,
  gap_y: 0,
} as const;
