import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The folder of the message files: a folder for each language, a file for each part of the product. */
export const WORDS = 'domain/words';
/** The language that the product is written in. Its files name every message and its parameters. */
export const SOURCE = 'en';

/** A file of messages, in the form of Application Resource Bundles (https://github.com/google/app-resource-bundle). */
export interface MessageFile {
  readonly language: string;
  /** The file's name without its extension, such as `second-contact`. */
  readonly part: string;
  /** From the root of the repository, for what is wrong with it. */
  readonly path: string;
  /** By key, such as `finder.youFound`, in the order of the file. */
  readonly messages: ReadonlyMap<string, string>;
  /** What translators need to know of a message, by key. In the English file alone. */
  readonly descriptions: ReadonlyMap<string, string>;
}

/** Reads every message file. What is wrong with one is added to `faults`, with its path and key. */
export function readWords(root: string, faults: string[]): MessageFile[] {
  const folder = join(root, WORDS);
  const languages = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'compiled')
    .map(({ name }) => name)
    .sort();
  return languages.flatMap((language) =>
    readdirSync(join(folder, language))
      .filter((name) => name.endsWith('.arb'))
      .sort()
      .map((name) => readMessages(root, { language, part: name.slice(0, -'.arb'.length) }, faults)),
  );
}

function readMessages(root: string, { language, part }: Pick<MessageFile, 'language' | 'part'>, faults: string[]) {
  const file = join(root, WORDS, language, `${part}.arb`);
  const path = relative(root, file);
  const messages = new Map<string, string>();
  const descriptions = new Map<string, string>();
  const read = parse(file, path, faults);
  if (read['@@locale'] !== language) faults.push(`${path}: @@locale: this must be "${language}"`);
  for (const [key, value] of Object.entries(read)) {
    if (key.startsWith('@@')) continue;
    if (key.startsWith('@')) {
      if (!(key.slice(1) in read)) faults.push(`${path}: ${key}: there is no such message`);
      const { description } = value as { readonly description?: unknown };
      if (typeof description === 'string') descriptions.set(key.slice(1), description);
    } else if (typeof value === 'string' && value !== '') messages.set(key, value);
    else faults.push(`${path}: ${key}: a message is a text that is not empty`);
  }
  return { language, part, path, messages, descriptions };
}

function parse(file: string, path: string, faults: string[]): Readonly<Record<string, unknown>> {
  if (!existsSync(file)) return {};
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { ...read };
    faults.push(`${path}: this is not an object of messages`);
  } catch (error) {
    faults.push(`${path}: this is not JSON (${String(error)})`);
  }
  return {};
}
