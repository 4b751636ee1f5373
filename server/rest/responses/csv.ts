/** Rows of texts as CSV (RFC 4180), the names of the fields first; lines end as PostgREST's do. */
export function toCsv(fields: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  return [fields, ...rows].map((row) => row.map(cell).join(',')).join('\n');
}

/** Null is nothing, an empty text a pair of quotes, so that a reader can tell them apart. */
function cell(text: string | null): string {
  if (text === null) return '';
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
