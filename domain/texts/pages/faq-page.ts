import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import type { FaqWords } from '#domain/words/compiled/types.ts';
import { durationIn } from '../duration.ts';
import type { Prose } from './prose.ts';
import type { ServiceFacts } from './service-facts.ts';

/** The frequent questions of a product, in the language of the words. */
export function faqPage(
  words: FaqWords,
  tag: string,
  { productName, hasMail, codeLifeSeconds, codeGapSeconds }: ServiceFacts,
): Prose {
  const { title, lead, found, unreadable, anonymous, sticker, notified, reply, receipts, giving, noCode, taken } =
    words;
  const code = { life: durationIn(tag, codeLifeSeconds), gap: durationIn(tag, codeGapSeconds) };
  return {
    title,
    lead: lead(productName),
    sections: [
      found,
      unreadable,
      anonymous,
      sticker,
      words.tag,
      { ...notified, text: hasMail ? notified.text(UNPROVED_NOTICES) : notified.withoutMail },
      reply,
      receipts,
      ...(hasMail ? [giving, { ...noCode, text: noCode.text(code) }] : []),
      taken,
    ].map((section) => ({ title: section.title, paragraphs: [section.text] })),
  };
}
