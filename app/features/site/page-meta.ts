import type { PublicConfig } from '#app/client/request-context.ts';
import { english, type Language, languageOf } from '#domain/language.ts';
import type { Texts } from '#domain/texts/screen-texts.ts';

interface RootMatch {
  readonly id: string;
  readonly loaderData?: unknown;
}

/** Returns the product's name and the language from the root's loader, for titles outside of components. */
export function siteOf(matches: readonly (RootMatch | undefined)[]): { productName: string; language: Language } {
  const loaded = matches.find((match) => match?.id === 'root')?.loaderData;
  // The root's loader returns this type. It is missing only where the root itself failed.
  const root = loaded as { publicConfig: PublicConfig; language: Pick<Language, 'tag' | 'direction'> } | undefined;
  return {
    productName: root?.publicConfig.productName ?? '',
    language: root === undefined ? english : languageOf(root.language),
  };
}

/** Returns a document's title: `page – product`. */
export function pageTitle(
  pageOf: (texts: Texts) => string,
  matches: readonly (RootMatch | undefined)[],
): { title: string } {
  const { productName, language } = siteOf(matches);
  return { title: `${pageOf(language.texts)} – ${productName}` };
}
