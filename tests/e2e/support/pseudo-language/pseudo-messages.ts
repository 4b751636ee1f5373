import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';

/** The language whose messages the pseudo-language replaces: what is in Hebrew letters then comes from `Intl`. */
export const REPLACED = 'he';

/** Each message stands in these. */
export const [OPEN, CLOSE] = ['⟦', '⟧'];

/** What makes a message longer; no message has the letter. */
export const PAD = 'ẽ';

/** What a person types in this form, or a program reads. */
const AS_IN_ENGLISH = /^(?:codesFileName|ownData\.fileName|auth\.emailPlaceholder|sticker\.call|ownData\.deleteWord)$/;

/** Writes the messages of the pseudo-language into a copy of the project, in place of those of its language. */
export function writePseudoMessages(root: string): void {
  const folder = join(root, 'domain/words');
  for (const name of readdirSync(join(folder, 'en'))) {
    const english: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(folder, 'en', name), 'utf8'));
    const messages = Object.entries(english).flatMap(([key, text]) =>
      key.startsWith('@') || typeof text !== 'string'
        ? []
        : [[key, AS_IN_ENGLISH.test(key) ? text : pseudo(text)] as const],
    );
    const file = { '@@locale': REPLACED, ...Object.fromEntries(messages) };
    writeFileSync(join(folder, REPLACED, name), JSON.stringify(file));
  }
}

/** The English message in brackets, longer by two fifths, with the plural forms of its language. */
function pseudo(text: string): string {
  const letters = Math.ceil(text.replaceAll(/\{[^}]*\}/g, '').length * 0.4);
  const pad = PAD.repeat(letters).replaceAll(/.{8}(?=.)/gu, '$& ');
  return `${OPEN}${printAST(withForms(parse(text, { shouldParseSkeletons: false })))} ${pad}${CLOSE}`;
}

function withForms(elements: readonly MessageFormatElement[]): MessageFormatElement[] {
  return elements.map((element) => {
    if (element.type === TYPE.tag) return { ...element, children: withForms(element.children) };
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return element;
    const given = Object.entries(element.options);
    const options = Object.fromEntries(
      given.map(([name, option]) => [name, { ...option, value: withForms(option.value) }]),
    );
    const { other } = options;
    if (element.type === TYPE.select || other === undefined) return { ...element, options };
    const type = element.pluralType ?? 'cardinal';
    const exact = given.map(([name]) => name).filter((name) => name.startsWith('='));
    const forms = [...exact, ...new Intl.PluralRules(REPLACED, { type }).resolvedOptions().pluralCategories];
    return { ...element, options: Object.fromEntries(forms.map((form) => [form, options[form] ?? other])) };
  });
}
