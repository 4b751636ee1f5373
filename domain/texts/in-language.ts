/**
 * What there is in each language, by its tag, as a function of the language. English stands in for a language without a
 * translation.
 *
 * @example
 * const faq = inLanguage({ en: faqEn });
 * faq(language)('Reunite');
 */
export function inLanguage<Texts>(byTag: { readonly en: Texts } & Readonly<Record<string, Texts>>) {
  return ({ tag }: { readonly tag: string }): Texts => byTag[tag] ?? byTag.en;
}
