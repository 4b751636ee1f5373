import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** What a parameter is: a text, a number, one of several words, or a tag, whose words become a part of a page such as a link. */
export type Parameter =
  | { readonly kind: 'text' | 'number' | 'tag' }
  | { readonly kind: 'choice'; readonly words: readonly string[] };

export interface Message {
  readonly elements: readonly MessageFormatElement[];
  /** By name, in the order in which the message names them. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** The plural categories that each of its plurals has. */
  readonly plurals: readonly (readonly string[])[];
  /** The same of what counts places, as in “2nd”. */
  readonly ordinals: readonly (readonly string[])[];
}

/** Parses an ICU message. Throws an error that says what is wrong with it. */
export function parseMessage(text: string): Message {
  const elements = parse(text, { captureLocation: false, shouldParseSkeletons: false });
  const parameters = new Map<string, Parameter>();
  const plurals: string[][] = [];
  const ordinals: string[][] = [];
  const add = (name: string, parameter: Parameter) => {
    const known = parameters.get(name);
    if (known === undefined || known.kind === 'text') parameters.set(name, parameter);
    else if (parameter.kind !== 'text' && parameter.kind !== known.kind) throw new Error(`{${name}} has two kinds`);
  };
  const visit = (parts: readonly MessageFormatElement[]): void => {
    for (const part of parts) {
      switch (part.type) {
        case TYPE.literal:
        case TYPE.pound:
          break;
        case TYPE.argument:
          add(part.value, { kind: 'text' });
          break;
        case TYPE.number:
          if (part.style) throw new Error(`{${part.value}}: a number has no style`);
          add(part.value, { kind: 'number' });
          break;
        case TYPE.plural:
          if (part.offset !== 0) throw new Error('a plural has no offset');
          add(part.value, { kind: 'number' });
          (part.pluralType === 'ordinal' ? ordinals : plurals).push(
            Object.keys(part.options).filter((option) => !option.startsWith('=')),
          );
          for (const { value } of Object.values(part.options)) visit(value);
          break;
        case TYPE.select:
          add(part.value, { kind: 'choice', words: Object.keys(part.options) });
          for (const { value } of Object.values(part.options)) visit(value);
          break;
        case TYPE.tag:
          add(part.value, { kind: 'tag' });
          visit(part.children);
          break;
        default:
          throw new Error('dates and times are formatted by Intl, and not in a message');
      }
    }
  };
  visit(elements);
  return { elements, parameters, plurals, ordinals };
}
