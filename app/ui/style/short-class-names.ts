/** A class selector, or what may contain something that only looks like one. */
const SELECTOR = /\/\*.*?\*\/|\.(?<name>-?(?:[A-Za-z_]|\\[^\da-f\n])(?:[\w-]|\\[^\da-f\n])*)/gs;

/** The attribute as React writes it. In text and in values it writes a quote as a reference. */
const ATTRIBUTE = / class="(?<names>[^"]*)"/g;

const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

export interface ShortClassNames {
  readonly styles: string;
  /** Returns the HTML that React rendered with the short names, and without classes that have no style. */
  shorten(html: string): string;
}

/**
 * Shortens the class names of a document that contains all its styles: Tailwind's names are a fifth of such a document
 * after compression. Classes that the script names keep their names.
 */
export function shortClassNames(styles: string, script: string): ShortClassNames {
  const short = new Map<string, string>();
  const shortened = styles.replaceAll(SELECTOR, (selector, escaped: string | undefined) => {
    if (escaped === undefined) return selector;
    const name = escaped.replaceAll(/\\(.)/gs, '$1');
    const isNamed = script.includes(name);
    const known = short.get(name) ?? (isNamed ? name : shortName(short.size));
    short.set(name, known);
    return isNamed ? selector : `.${known}`;
  });
  const lists = new Map<string, string>();
  const shortList = (names: string): string => {
    const known = names
      .replaceAll(/&(amp|lt|gt|quot|#x27);/g, (reference, name: string) => REFERENCES[name] ?? reference)
      .split(' ')
      .flatMap((name) => short.get(name) ?? []);
    return known.length === 0 ? '' : ` class="${known.join(' ')}"`;
  };
  return {
    styles: shortened,
    shorten: (html) =>
      html.replaceAll(ATTRIBUTE, (_, names: string) => {
        const list = lists.get(names) ?? shortList(names);
        lists.set(names, list);
        return list;
      }),
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** One letter for the first 26, then two. Capitals do not occur, so a name of Tailwind's that is kept can equal none. */
function shortName(index: number): string {
  const last = LETTERS.charAt(index % LETTERS.length);
  return index < LETTERS.length ? last : shortName(Math.floor(index / LETTERS.length) - 1) + last;
}
