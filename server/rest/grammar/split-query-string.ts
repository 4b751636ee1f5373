import { malformedQueryString } from '../errors.ts';

export type Parameter = readonly [name: string, value: string];

/** Splits a query string into its parameters, in order. Throws where it is not percent-encoded UTF-8. */
export function splitQueryString(text: string): Parameter[] {
  if (text === '') return [];
  const parameters: Parameter[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    parameters.push(
      equals === -1 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))],
    );
  }
  return parameters;
}

const NEEDS_DECODING = /[%+]/;

function decode(text: string): string {
  if (!NEEDS_DECODING.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformedQueryString();
  }
}
