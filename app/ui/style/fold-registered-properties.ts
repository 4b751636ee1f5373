const REGISTERED =
  /@property (?<name>--tw-[\w-]+)\s*\{\s*syntax:[^;}]+;\s*inherits:\s*false;?(?:\s*initial-value:\s*(?<initial>[^;}]*);?)?\s*\}/g;
/** Repeats the initial values for browsers without `@property`, set on every element. */
const FALLBACKS = /@layer properties\s*\{\s*@supports .*?\}\s*\}\s*\}/s;

/** Shadows of nothing before another one, as Tailwind composes them. */
const NO_SHADOWS = /(?<=box-shadow:)(?:0 0 #0000, ?)+/g;

/** Spaces left by numeral properties without a value. */
const NUMERALS = /(?<=font-variant-numeric:) *([^;}]*?) *(?=[;}])/g;

/** What lightningcss adds to `color-scheme` for `light-dark()`, which our styles do not use. */
const LIGHT_DARK =
  /@media \(prefers-color-scheme:dark\)\{html\{(?:--lightningcss-\w+:[^;}]*;?)+\}\s*\}|--lightningcss-\w+:[^;}]*;?/g;

/**
 * Returns equivalent styles in fewer bytes. Tailwind composes shadows, transforms and numerals of custom properties
 * that it registers with an initial value. In complete styles, a property that no rule sets has its initial value
 * wherever it is read, one that is set wherever it is read has that rule's value, and a property that no rule reads can
 * be removed. For built, minified CSS.
 */
export function foldRegisteredProperties(styles: string): string {
  const registered = [...styles.matchAll(REGISTERED)].map(({ groups }) => ({
    name: groups?.name ?? '',
    initial: groups?.initial,
  }));
  const fallbacks = FALLBACKS.exec(styles)?.[0] ?? '';
  let rules = styles.replaceAll(REGISTERED, '').replace(FALLBACKS, '@fallbacks');
  const kept = new Set<string>();
  for (const { name, initial } of registered) {
    const isSet = new RegExp(`[{;]${name}:`).test(rules);
    const folded = isSet ? foldWithinRules(rules, name) : replaceReads(rules, name, initial);
    if (new RegExp(`var\\(${name}[,)]`).test(folded)) kept.add(name);
    else rules = folded.replaceAll(new RegExp(`(?<=[{;])${name}:[^;}]*;?`, 'g'), '');
  }
  // Neither registered nor set.
  for (const [, name = ''] of rules.matchAll(/var\((--tw-[\w-]+),/g)) {
    if (!kept.has(name) && !new RegExp(`[{;]${name}:`).test(rules)) rules = replaceReads(rules, name, undefined);
  }
  const keptFallbacks = fallbacks.replaceAll(/(--tw-[\w-]+):[^;}]*;?/g, (declaration, name: string) =>
    kept.has(name) ? declaration : '',
  );
  const registrations = [...styles.matchAll(REGISTERED)].filter(({ groups }) => kept.has(groups?.name ?? ''));
  // Without any of its properties nothing is left of it.
  const fallback = kept.size === 0 ? '' : keptFallbacks;
  return (
    rules
      .replace('@fallbacks', () => fallback)
      .replaceAll(NO_SHADOWS, '')
      .replaceAll(NUMERALS, '$1')
      .replaceAll(LIGHT_DARK, '') + registrations.map(([whole]) => whole).join('')
  );
}

/** Replaces `var()` of a property with its value in the same rule, if every rule that reads it also sets it. */
function foldWithinRules(rules: string, name: string): string {
  const reads = new RegExp(`var\\(${name}[,)]`);
  const sets = new RegExp(`[{;]${name}:([^;}]*)`);
  let isComplete = true;
  const folded = rules.replaceAll(/\{[^{}]*\}/g, (rule) => {
    if (!reads.test(rule)) return rule;
    const value = sets.exec(rule)?.[1];
    if (value === undefined) isComplete = false;
    return replaceReads(rule, name, value);
  });
  return isComplete ? folded : rules;
}

/** Replaces `var()` of a property that is never set with its initial value, else with its fallback. */
function replaceReads(rules: string, name: string, initial: string | undefined): string {
  const read = `var(${name}`;
  let done = '';
  let rest = rules;
  for (;;) {
    const start = rest.indexOf(read);
    if (start === -1) return done + rest;
    const end = closingOf(rest, start + read.length);
    const fallback = rest.slice(start + read.length, end);
    const value = initial ?? (fallback.startsWith(',') ? fallback.slice(1) : undefined);
    // A longer name, or no value to insert: unchanged.
    const whole = rest.slice(start, end + 1);
    done += rest.slice(0, start) + (value === undefined || /^[\w-]/.test(fallback) ? whole : value);
    rest = rest.slice(end + 1);
  }
}

/** Returns the position of the parenthesis that closes the one opened before `from`. */
function closingOf(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('The styles have a bracket that does not close.');
}
