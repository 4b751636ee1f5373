/** Control characters and those that change the text direction: a name must not control the terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats rows under a header, each column as wide as its widest cell. */
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

/** Returns the text without characters that control the terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD');
}

/** In code points, an approximation that suits names and addresses. */
function widthOf(text: string): number {
  return [...text].length;
}
