/**
 * Returns a function that selects the value for a language, by its tag. A language without a translation gets English.
 *
 * @example
 * const faq = inLanguage({ en: faqEn });
 * faq(language)('Reunite');
 */
export function inLanguage<Texts>(byTag: { readonly en: Texts } & Readonly<Record<string, Texts>>) {
  return ({ tag }: { readonly tag: string }): Texts => byTag[tag] ?? byTag.en;
}
