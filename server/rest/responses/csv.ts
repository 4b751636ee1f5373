/** Formats rows of text as CSV (RFC 4180) with a header row. Lines end with LF, as PostgREST's do. */
export function toCsv(fields: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  return [fields, ...rows].map((row) => row.map(cell).join(',')).join('\n');
}

/** Null is an empty field and an empty text a pair of quotes, so that readers can distinguish them. */
function cell(text: string | null): string {
  if (text === null) return '';
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
