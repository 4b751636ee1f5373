import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { LANGUAGE_LIST } from '../../domain/language-list.ts';
import type { ParsedFile } from './check-words.ts';
import type { Message, Parameter } from './parse-message.ts';

const NOTE = 'Generated from the message files in domain/words. Do not edit: change those.';

/** With what the keys of the names of types begin. */
const TYPE_NAME = 'itemTypes.';

/** The key of the call to the finder on a sticker. */
const STICKER_CALL = 'sticker.call';

/** What `messageFunctions` offers. */
const FUNCTIONS = ['format', 'ordinal', 'plural', 'select'];

/** Returns the module with the types of all parts, from the English files. */
export function generateTypes(parts: readonly ParsedFile[], ownerParts: readonly string[]): string {
  const types = parts.map(({ part, messages, descriptions }) => {
    const leaf = (key: string) =>
      `${comment(descriptions.get(key))}readonly ${last(key)}: ${typeOf(messages.get(key))};`;
    const tree = nest([...messages.keys()], leaf, (name, inside) => `readonly ${name}: {\n${inside}\n};`);
    return `export interface ${typeName(part)} {\n${tree}\n}\n`;
  });
  const lines = (isOwners: boolean) =>
    parts
      .filter(({ part }) => ownerParts.includes(part) === isOwners)
      .map(({ part }) => `readonly ${constantName(part)}: ${typeName(part)};`)
      .join('\n');
  const visitor = `/** The messages that every language has, by part. */\nexport interface VisitorWords {\n${lines(false)}\n}\n`;
  const all = `/** All messages of a language of owners' screens, by part. */\nexport interface Words extends VisitorWords {\n${lines(true)}\n}\n`;
  return [`// ${NOTE}\n`, ...types, visitor, all].join('\n');
}

/** Returns the module with the parts of a language. */
export function generateIndex(parts: readonly ParsedFile[], isOwners: boolean): string {
  const type = wordsType(isOwners);
  const names = parts.map(({ part }) => ({ part, name: constantName(part) }));
  const imports = names.map(({ part, name }) => `import { ${name} } from './${part}.ts';`);
  const words = `export const words: ${type} = { ${names.map(({ name }) => name).join(', ')} };`;
  return `// ${NOTE}\nimport type { ${type} } from '../types.ts';\n${imports.join('\n')}\n\n${words}\n`;
}

/** Returns the module that loads a language when it is asked for. */
export function generateLoader(languages: readonly string[], ownerLanguages: readonly string[]): string {
  const loader = (name: string, tags: readonly string[], isOwners: boolean, note: string) => {
    const each = tags.map((tag) => `'${tag}': async () => (await import('./${tag}/index.ts')).words,`);
    const type = `Readonly<Record<string, () => Promise<${wordsType(isOwners)}>>>`;
    return `/** ${note} */\nexport const ${name}: ${type} = {\n${each.join('\n')}\n};\n`;
  };
  const owners = languages.filter((tag) => ownerLanguages.includes(tag));
  return [
    `// ${NOTE}\nimport type { VisitorWords, Words } from './types.ts';\n`,
    loader('loadVisitorWords', languages, false, 'Every language, by tag.'),
    loader('loadWords', owners, true, "The languages of owners' screens, by tag."),
  ].join('\n');
}

/**
 * Returns the module with the names that types of items have in the languages of owners' screens, by type: an item to which
 * its owner gave no other name has the one of their language. A name that two types have is added to `faults`.
 */
export function generateTypeNames(files: readonly ParsedFile[], faults: string[]): string {
  const types = new Map<string, string>();
  for (const { path, messages } of files) {
    for (const [key, { elements }] of messages) {
      if (!key.startsWith(TYPE_NAME)) continue;
      const name = elements.map(literal).join('');
      const type = key.slice(TYPE_NAME.length);
      if ((types.get(name) ?? type) === type) types.set(name, type);
      else faults.push(`${path}: ${key}: in some language, this is the name of another type`);
    }
  }
  const names = Map.groupBy(types.keys(), (name) => types.get(name) ?? '');
  const lines = Array.from(names, ([type, each]) => `${type}: ${JSON.stringify(each)},`);
  return `// ${NOTE}\n/** The names of each type of items, in the languages of owners' screens. */\nexport const typeNames: Readonly<Record<string, readonly string[]>> = {\n${lines.join('\n')}\n};\n`;
}

/** Returns the module with the call to the finder on a sticker, in every language. */
export function generateStickerCalls(files: readonly ParsedFile[]): string {
  const lines = files.flatMap(({ language, messages }) => {
    const call = messages.get(STICKER_CALL)?.elements.map(literal).join('');
    return call === undefined ? [] : [`${JSON.stringify(language)}: ${JSON.stringify(call)},`];
  });
  return `// ${NOTE}\n/** The call to the finder on a sticker, by the tag of its language. */\nexport const stickerCalls: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n};\n`;
}

/** Returns the module with which a screen reads a part. Vite puts another in its place for browsers. */
export function generateReader(part: string): string {
  const name = constantName(part);
  return [
    `// ${NOTE}`,
    `import { wordsOf } from '../../loaded-words.ts';`,
    `import type { ${typeName(part)} } from '../types.ts';`,
    '',
    `/** Returns the part in a language that is loaded. */`,
    `export const ${name}Words = ({ tag }: { readonly tag: string }): ${typeName(part)} => wordsOf(tag).${name};`,
    '',
  ].join('\n');
}

function wordsType(isOwners: boolean): string {
  return isOwners ? 'Words' : 'VisitorWords';
}

/** Returns the module of one part in one language. */
export function generateModule({ language, part, messages }: ParsedFile): string {
  const isRightToLeft = LANGUAGE_LIST.some(({ tag, direction }) => tag === language && direction === 'rtl');
  const leaf = (key: string) => {
    const message = messages.get(key);
    return `${last(key)}: ${sourceOf(isRightToLeft && message !== undefined ? isolateTexts(key, message) : message)},`;
  };
  const tree = nest([...messages.keys()], leaf, (name, inside) => `${name}: {\n${inside}\n},`);
  const body = `export const ${constantName(part)}: ${typeName(part)} = {\n${tree}\n};\n`;
  const used = FUNCTIONS.filter((name) => body.includes(`\${${name}(`));
  const imports = [
    ...(used.length > 0 ? [`import { messageFunctions } from '../../message-functions.ts';`] : []),
    `import type { ${typeName(part)} } from '../types.ts';`,
  ];
  const bound = used.length > 0 ? `const { ${used.join(', ')} } = messageFunctions('${language}');\n\n` : '';
  return `// ${NOTE}\n${imports.join('\n')}\n\n${bound}${body}`;
}

/** The name of the constant that a module exports, such as `secondContact`. */
function constantName(part: string): string {
  return part.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The name of a part's type, such as `SecondContactWords`. */
function typeName(part: string): string {
  const name = constantName(part);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Words`;
}

/** Writes keys such as `taps.said.photo` as nested objects. */
function nest(
  keys: readonly string[],
  leaf: (key: string) => string,
  group: (name: string, inside: string) => string,
  depth = 0,
): string {
  const groups = Map.groupBy(keys, (key) =>
    key
      .split('.')
      .slice(0, depth + 1)
      .join('.'),
  );
  return Array.from(groups, ([path, inside]) =>
    inside.includes(path) ? leaf(path) : group(last(path), nest(inside, leaf, group, depth + 1)),
  ).join('\n');
}

function last(key: string): string {
  const name = key.slice(key.lastIndexOf('.') + 1);
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function comment(description: string | undefined): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '')} */\n`;
}

function typeOf(message: Message | undefined): string {
  const parameters = [...(message?.parameters ?? [])];
  const [first, ...others] = parameters;
  if (first === undefined) return 'string';
  const generic = parameters.some(([, { kind }]) => kind === 'tag');
  const signature =
    others.length === 0
      ? `(${first[0]}: ${parameterType(first[1])})`
      : `(words: { ${parameters.map(([name, parameter]) => `readonly ${name}: ${parameterType(parameter)}`).join('; ')} })`;
  return generic ? `<Part>${signature} => (string | Part)[]` : `${signature} => string`;
}

function parameterType(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'text':
      return 'string';
    case 'number':
      return 'number';
    case 'tag':
      return '(words: string) => Part';
    case 'choice':
      return parameter.words.map((word) => JSON.stringify(word)).join(' | ');
  }
}

function sourceOf(message: Message | undefined): string {
  if (message === undefined) return "''";
  const names = [...message.parameters.keys()];
  if (names.length === 0) return quoted(message.elements);
  const signature = names.length === 1 ? `(${names[0]})` : `({ ${names.join(', ')} })`;
  const isRich = [...message.parameters.values()].some(({ kind }) => kind === 'tag');
  return `${signature} => ${isRich ? parts(message.elements) : quoted(message.elements)}`;
}

/**
 * Isolates the texts that a message in a language written from right to left is given (UAX #9, section 2.4): a name, a
 * phone number, or a code in Latin letters keeps its own order, and that of the words around it.
 */
function isolateTexts(key: string, message: Message): Message {
  const within = (elements: readonly MessageFormatElement[]): MessageFormatElement[] =>
    elements.flatMap((element): MessageFormatElement[] => {
      if (element.type === TYPE.tag) return [{ ...element, children: within(element.children) }];
      if (element.type === TYPE.plural) return [{ ...element, options: eachOption(element.options) }];
      if (element.type === TYPE.select) return [{ ...element, options: eachOption(element.options) }];
      if (element.type !== TYPE.argument || isReadByPhone(key, element.value)) return [element];
      return [{ type: TYPE.literal, value: '\u2068' }, element, { type: TYPE.literal, value: '\u2069' }];
    });
  const eachOption = <Option extends { readonly value: MessageFormatElement[] }>(options: Record<string, Option>) =>
    Object.fromEntries(
      Object.entries(options).map(([name, option]) => [name, { ...option, value: within(option.value) }]),
    );
  return { ...message, elements: within(message.elements) };
}

/** Whether a phone finds this text in an SMS, to open it or to fill it in. */
function isReadByPhone(key: string, name: string): boolean {
  return name === 'link' || (name === 'code' && key.startsWith('sms.'));
}

/** A message with tags: its texts and what the tags make of theirs, in order. */
function parts(elements: readonly MessageFormatElement[]): string {
  return `[${elements
    .map((element) => (element.type === TYPE.tag ? `${element.value}(${quoted(element.children)})` : quoted([element])))
    .join(', ')}]`;
}

function quoted(elements: readonly MessageFormatElement[], counted?: string): string {
  if (elements.every(({ type }) => type === TYPE.literal)) return JSON.stringify(elements.map(literal).join(''));
  return `\`${elements.map((element) => inTemplate(element, counted)).join('')}\``;
}

function literal(element: MessageFormatElement): string {
  return element.type === TYPE.literal ? element.value : '';
}

function inTemplate(element: MessageFormatElement, counted: string | undefined): string {
  switch (element.type) {
    case TYPE.literal:
      return element.value.replaceAll(/[`\\]|\$\{/g, '\\$&');
    case TYPE.argument:
      return `\${${element.value}}`;
    case TYPE.number:
      return `\${format(${element.value})}`;
    case TYPE.pound:
      return `\${format(${counted})}`;
    case TYPE.plural:
      return `\${${element.pluralType === 'ordinal' ? 'ordinal' : 'plural'}(${element.value}, ${branches(element.options, element.value)})}`;
    case TYPE.select:
      return `\${select(${element.value}, ${branches(element.options, counted)})}`;
    default:
      throw new Error('A tag stands outside of plurals and choices, and not in another tag.');
  }
}

function branches(
  options: Readonly<Record<string, { readonly value: readonly MessageFormatElement[] }>>,
  counted: string | undefined,
): string {
  const each = Object.entries(options).map(([name, { value }]) => `${JSON.stringify(name)}: ${quoted(value, counted)}`);
  return `{ ${each.join(', ')} }`;
}
