import type { Page } from '@playwright/test';
import { CLOSE, OPEN, PAD } from './pseudo-messages.ts';

/** What may stand between two letters of an English text: brackets, what makes it longer, and what isolates it. */
const BETWEEN = `(?:[${OPEN}${CLOSE}${PAD}\\u2066-\\u2069]|\\s(?=${PAD}))*`;
const WITH_TEXT = ['getByText', 'getByLabel', 'getByPlaceholder', 'getByAltText', 'getByTitle'] as const;

type Wanted = string | RegExp;
interface Options {
  readonly exact?: boolean;
  readonly name?: Wanted;
  readonly hasText?: Wanted;
}

/** The messages of the pseudo-language with this English text. */
function inPseudoLanguage(wanted: Wanted, exact: boolean): RegExp {
  if (wanted instanceof RegExp) return new RegExp(wanted.source.replaceAll(/^\^|\$$/g, ''), wanted.flags);
  const letters = Array.from(wanted, (letter) => letter.replace(/[.*+?^${}()|[\]\\]/, '\\$&')).join(BETWEEN);
  return exact ? new RegExp(`^\\s*${BETWEEN}${letters}${BETWEEN}\\s*$`) : new RegExp(letters, 'i');
}

/**
 * Lets the steps that lead to a screen, which name what they look for in English, find it in the pseudo-language: in every
 * page and locator of this process from now on.
 */
export function findInPseudoLanguage(page: Page): void {
  const prototypes: Record<string, unknown>[] = [page, page.locator('body')].map((object) =>
    Object.getPrototypeOf(object),
  );
  for (const prototype of prototypes) {
    if (Object.hasOwn(prototype, 'isPseudo')) continue;
    Object.assign(prototype, { isPseudo: true });
    for (const name of WITH_TEXT) {
      const find = prototype[name] as (wanted: Wanted) => unknown;
      prototype[name] = function (wanted: Wanted, { exact = false }: Options = {}) {
        return find.call(this, inPseudoLanguage(wanted, exact));
      };
    }
    const byRole = prototype.getByRole as (role: string, options: Options) => unknown;
    prototype.getByRole = function (role: string, { name, exact = false, ...options }: Options = {}) {
      return byRole.call(this, role, {
        ...options,
        ...(name !== undefined && { name: inPseudoLanguage(name, exact) }),
      });
    };
    if (!('filter' in prototype)) continue;
    const filter = prototype.filter as (options: Options) => unknown;
    prototype.filter = function ({ hasText, ...options }: Options = {}) {
      return filter.call(this, {
        ...options,
        ...(hasText !== undefined && { hasText: inPseudoLanguage(hasText, false) }),
      });
    };
  }
}
