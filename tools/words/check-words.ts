import { type Message, parseMessage } from './parse-message.ts';
import { type MessageFile, SOURCE } from './read-words.ts';

/** A message file whose messages are parsed. */
export interface ParsedFile extends Omit<MessageFile, 'messages'> {
  readonly messages: ReadonlyMap<string, Message>;
}

/** Which files a language must have. */
export interface Tiers {
  /** The files that only these languages must have. */
  readonly ownerParts: readonly string[];
  /** The tags of the languages of owners' screens. */
  readonly ownerLanguages: readonly string[];
}

/**
 * Parses all messages, and compares every language with English: the parts of its tier, the same keys, the same
 * parameters, and each plural with exactly the categories that its language has. What is wrong is added to `faults`, with
 * path and key.
 */
export function checkWords(files: readonly MessageFile[], tiers: Tiers, faults: string[]): ParsedFile[] {
  const parsed = files.map((file) => parseFile(file, faults));
  const source = new Map(parsed.filter(({ language }) => language === SOURCE).map((file) => [file.part, file]));
  for (const language of new Set(parsed.map((file) => file.language))) {
    const parts = new Map(parsed.filter((file) => file.language === language).map((file) => [file.part, file]));
    for (const [part, english] of source) {
      const translated = parts.get(part);
      if (translated !== undefined) compare(english, translated, faults);
      else if (needs(language, part, tiers)) {
        faults.push(`${english.path.replace(SOURCE, language)}: this file is missing`);
      }
    }
    for (const [part, { path }] of parts) if (!source.has(part)) faults.push(`${path}: English has no such file`);
  }
  return parsed.map((file) => inOrderOf(source.get(file.part), file));
}

/** Its messages in the order of the English file, whatever a tool for translators made of it. */
function inOrderOf(english: ParsedFile | undefined, file: ParsedFile): ParsedFile {
  const places = new Map([...(english?.messages.keys() ?? [])].map((key, place) => [key, place]));
  const place = ([key]: readonly [string, Message]) => places.get(key) ?? 0;
  return { ...file, messages: new Map([...file.messages].sort((one, other) => place(one) - place(other))) };
}

/** Whether a language cannot do without a part. */
export function needs(language: string, part: string, { ownerParts, ownerLanguages }: Tiers): boolean {
  return !ownerParts.includes(part) || ownerLanguages.includes(language);
}

function parseFile({ messages, ...file }: MessageFile, faults: string[]): ParsedFile {
  const parsed = new Map<string, Message>();
  for (const [key, text] of messages) {
    try {
      parsed.set(key, parseMessage(text));
    } catch (error) {
      faults.push(`${file.path}: ${key}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { ...file, messages: parsed };
}

function compare(english: ParsedFile, { language, path, messages }: ParsedFile, faults: string[]): void {
  const wanted = { plurals: categoriesOf(language, 'cardinal'), ordinals: categoriesOf(language, 'ordinal') };
  for (const [key, { parameters }] of english.messages) {
    const message = messages.get(key);
    if (message === undefined) {
      faults.push(`${path}: ${key}: this message is missing`);
      continue;
    }
    for (const [name, parameter] of parameters) {
      const found = message.parameters.get(name);
      if (found === undefined) faults.push(`${path}: ${key}: {${name}} is missing`);
      else if (nameOf(found) !== nameOf(parameter)) faults.push(`${path}: ${key}: {${name}} is a ${nameOf(parameter)}`);
    }
    for (const name of message.parameters.keys()) {
      if (!parameters.has(name)) faults.push(`${path}: ${key}: English has no {${name}}`);
    }
    for (const kind of ['plurals', 'ordinals'] as const) {
      for (const categories of message[kind]) {
        if ([...categories].sort().join(' ') === wanted[kind]) continue;
        faults.push(`${path}: ${key}: its plural needs ${wanted[kind]}`);
      }
    }
  }
  for (const key of messages.keys()) {
    if (!english.messages.has(key)) faults.push(`${path}: ${key}: English has no such message`);
  }
}

function categoriesOf(language: string, type: Intl.PluralRuleType): string {
  return [...new Intl.PluralRules(language, { type }).resolvedOptions().pluralCategories].sort().join(' ');
}

function nameOf(parameter: { readonly kind: string; readonly words?: readonly string[] }): string {
  return parameter.words === undefined ? parameter.kind : `choice of ${[...parameter.words].sort().join(', ')}`;
}
