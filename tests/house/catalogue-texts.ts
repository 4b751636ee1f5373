import { PASSWORD_LENGTH } from '#domain/account/validate-credentials.ts';
import { english } from '#domain/language.ts';
import { words } from '#domain/words/compiled/en/index.ts';

type AnyFunction = (...holes: unknown[]) => unknown;

/**
 * Every text of the catalogue, and of the screens that load their own. Functions are called with `{}` for each parameter, and
 * with the length of a password, which the specification writes out.
 */
export function catalogueTexts(): readonly string[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (isFunction(value)) for (const hole of ['{}', PASSWORD_LENGTH]) collectCall(value, hole);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  const collectCall = (text: AnyFunction, hole: unknown) => {
    try {
      collect(text(...Array.from({ length: text.length }, () => hole)));
    } catch {
      // It takes arguments other than texts and numbers, so it is not a text of the specification.
    }
  };
  collect([english.texts, words]);
  return texts;
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** Whether a text of the specification, with placeholders such as `{id}`, matches the catalogue's. */
export function textsMatch(wanted: string, known: string): boolean {
  const pattern = wanted
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&'))
    .join('.+');
  return new RegExp(`^${pattern}$`).test(known);
}
