/**
 * Joins texts into a list as a language writes it.
 *
 * @param type - `conjunction` for "a, b, and c", `disjunction` for "a, b, or c", `unit` for "a, b, c".
 * @example formatList(['call', 'email'], 'en') // 'call and email'
 */
export function formatList(texts: readonly string[], tag: string, type: Intl.ListFormatType = 'conjunction'): string {
  return new Intl.ListFormat(tag, { type }).format(texts);
}
