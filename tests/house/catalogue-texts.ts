import { en } from '#domain/texts/en.ts';
import { finderEn } from '#domain/texts/finder/finder-en.ts';
import { landingEn } from '#domain/texts/pages/landing-en.ts';
import { callbackEn } from '#domain/texts/screens/callback-en.ts';
import { debugPageEn } from '#domain/texts/screens/debug-page-en.ts';
import { settingsEn } from '#domain/texts/screens/settings-en.ts';
import { signInEn } from '#domain/texts/screens/sign-in-en.ts';

type AnyFunction = (...holes: unknown[]) => unknown;

/** Every text of the catalogue, and of the screens that load their own. Functions are called with `{}` for each parameter. */
export function catalogueTexts(): readonly string[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (isFunction(value)) collectCall(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  const collectCall = (text: AnyFunction) => {
    try {
      collect(text(...Array.from({ length: text.length }, () => '{}')));
    } catch {
      // It takes arguments other than texts and numbers, so it is not a text of the specification.
    }
  };
  collect([en, callbackEn, debugPageEn, finderEn, landingEn, settingsEn, signInEn]);
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
