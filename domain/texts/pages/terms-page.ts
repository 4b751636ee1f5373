import type { TermsWords } from '#domain/words/compiled/types.ts';
import type { Prose } from './prose.ts';

/** The terms of use of a product. */
export function termsPage(words: TermsWords, product: string): Prose {
  const { title, lead, service, tagging, finding, notAllowed, costs, leaving } = words;
  return {
    title,
    lead: lead(product),
    sections: [service, tagging, finding, notAllowed, costs, leaving].map((section) => ({
      title: section.title,
      paragraphs: [section.text],
    })),
  };
}
