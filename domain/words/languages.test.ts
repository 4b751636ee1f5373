import { describe, expect, test } from 'vitest';
import { LANGUAGES_WITH_WORDS, messagesOf } from '#tests/support/messages-of.ts';
import { LANGUAGE_LIST } from '../language-list.ts';

/** Messages that are the same in every language, or are a name or a loanword in many. */
const SHARED =
  /^(?:finder\.(?:whatsApp|email|pageTitle|sentence)|conversation\.inUtc|itemTypes\..*|typesInSentence\..*|footer\.faq|secondContact\.digest\.link|photo\.of|taps\.saidAt\.text|footer\.copyright|auth\.emailPlaceholder|codesFileName|ownData\.fileName)$/;

const english = messagesOf('en');

test('every folder is a language of the list', () => {
  const tags = LANGUAGE_LIST.map(({ tag }) => tag);
  expect(LANGUAGES_WITH_WORDS.filter((language) => !tags.includes(language))).toEqual([]);
});

describe.each(LANGUAGES_WITH_WORDS.filter((language) => language !== 'en'))('%s', (language) => {
  const messages = messagesOf(language);

  test('has no English left over', () => {
    const same = [...messages].filter(([key, text]) => {
      const words = text.replaceAll(/\{[^}]*\}/g, '').match(/\p{Letter}{2,}/gu) ?? [];
      const name = key.slice(key.indexOf(' ') + 1);
      return words.length > 2 && text === english.get(key) && !SHARED.test(name);
    });
    expect(same).toEqual([]);
  });

  test('has no characters that are not seen, and no straight quotation marks', () => {
    const found = [...messages].filter(([, text]) => /[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF"]/u.test(text));
    expect(found).toEqual([]);
  });
});
