/**
 * Where a cell may begin: at the start of the text, and after each character at which a spreadsheet may split it. One
 * whose separator is the semicolon, as in much of Europe, does not see that a cell of ours is quoted, because the quote
 * is not the first character of what it takes for the cell. The same holds for tabs and the ends of lines.
 */
const BEGINNING = '(^|[;\\t\\r\\n])';

/**
 * What a spreadsheet takes for a formula at the beginning of a cell (OWASP, CSV injection), also after spaces and
 * quotes, which it may leave out, and after apostrophes.
 */
const FORMULA = '(?=(?:[^\\S\\t\\r\\n]|["\'])*[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20])';

const UNGUARDED = new RegExp(BEGINNING + FORMULA, 'g');
/** An apostrophe before what would be guarded by one. */
const GUARDED = new RegExp(`${BEGINNING}'${FORMULA}`, 'g');

/**
 * Returns a line of CSV (RFC 4180) with its line end. What a spreadsheet would run as a formula has an apostrophe before
 * it, and null is an empty cell.
 *
 * @example csvLine(['tgt-abc', '=1+1', null, 'two, quoted']); // "tgt-abc,'=1+1,,\"two, quoted\"\r\n"
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * Returns the text of a cell without the apostrophes that `csvLine` puts before what looks like a formula: for every
 * text, what was written.
 *
 * @example textOfCell("'=1+1"); // '=1+1'
 */
export function textOfCell(cell: string): string {
  return cell.replace(GUARDED, '$1');
}

function csvCell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = value.replace(UNGUARDED, "$1'");
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
