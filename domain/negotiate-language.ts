/** More of a header is not read. What browsers send has at most a tenth of it. */
const MOST_CHARACTERS = 1_000;

/** Tags that mean a language which we call otherwise, with what begins by them (IANA Language Subtag Registry). */
const ALIASES: Readonly<Record<string, string>> = {
  in: 'id',
  iw: 'he',
  nn: 'nb',
  no: 'nb',
  pt: 'pt-pt',
  zh: 'zh-hans',
  'zh-hk': 'zh-hant',
  'zh-mo': 'zh-hant',
  'zh-tw': 'zh-hant',
};

/** A tag without a region, which names the variety that most of its readers have. */
const BARE: Readonly<Record<string, string>> = { pt: 'pt-br' };

/**
 * Returns the tag among `tags` that an Accept-Language header prefers (RFC 9110, section 12.5.4), or null for none. A range
 * matches as in a lookup (RFC 4647, section 3.4): `de-AT` is served `de`, and `zh-HK` is served `zh-Hant`.
 */
export function negotiateLanguage(header: string | undefined, tags: readonly string[]): string | null {
  if (header === undefined) return null;
  const known = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  let preferred: string | null = null;
  let most = 0;
  for (const part of header.slice(0, MOST_CHARACTERS).split(',')) {
    const [range = '', ...parameters] = part.toLowerCase().split(';');
    const weight = weightOf(parameters);
    // Of equal weights, the first.
    if (!(weight > most)) continue;
    const tag = lookUp(range.trim(), known);
    if (tag === undefined) continue;
    preferred = tag;
    most = weight;
  }
  return preferred;
}

/** 1 where none is given; NaN for what is no number. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.map((text) => text.trim()).find((text) => text.startsWith('q='));
  return weight === undefined ? 1 : Math.min(1, Number(weight.slice('q='.length)));
}

function lookUp(range: string, known: ReadonlyMap<string, string>): string | undefined {
  const bare = Object.hasOwn(BARE, range) ? known.get(BARE[range] ?? '') : undefined;
  if (bare !== undefined) return bare;
  for (let name = range; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('-')))) {
    const tag = known.get(name) ?? (Object.hasOwn(ALIASES, name) ? known.get(ALIASES[name] ?? '') : undefined);
    if (tag !== undefined) return tag;
  }
  return undefined;
}
