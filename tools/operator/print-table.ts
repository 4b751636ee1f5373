/** Control characters, and those that turn the direction of what follows: a name must not steer the terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Rows under a head, each column as wide as its widest cell. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...table.map((row) => widthOf(row[column] ?? ''))));
  return table
    .map((row) =>
      row
        .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** The text without what would steer the terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD');
}

/** In code points: near enough for names and addresses. */
function widthOf(text: string): number {
  return [...text].length;
}
