/** What a spreadsheet takes for a formula if a cell begins with it (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * Returns a line of CSV (RFC 4180) with its line end. A text that a spreadsheet would run as a formula begins with an
 * apostrophe, and null is an empty cell.
 *
 * @example csvLine(['tgt-abc', '=1+1', null, 'two, quoted']); // "tgt-abc,'=1+1,,\"two, quoted\"\r\n"
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * Returns the text of a cell without the apostrophe that `csvLine` puts before what looks like a formula.
 *
 * @example textOfCell("'=1+1"); // '=1+1'
 */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

function csvCell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
