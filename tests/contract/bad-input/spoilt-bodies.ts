import type { Endpoint } from './endpoints.ts';

export interface SpoiltBody {
  readonly what: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Names no known field, so it may also count as empty. */
  readonly saysNothing?: true;
}

const DEEP = 10_000;
const TWO_MEGABYTES = 2 * 1024 * 1024;

/** Bodies that no endpoint may accept. */
export function spoiltBodies({ body = {} }: Endpoint): readonly SpoiltBody[] {
  const good = JSON.stringify(body);
  const [firstField = 'field'] = Object.keys(body);
  return [
    ...[
      '{',
      good.slice(0, -1),
      `${good}${good}`,
      `${good.slice(0, -1)},}`,
      "{'a':1}",
      'undefined',
      'NaN',
      '\0',
      `${good}\0`,
    ].map((text) => ({ what: `malformed: ${JSON.stringify(text.slice(0, 40))}`, body: text })),
    ...['null', 'true', '7', '"text"', `[[${good}]]`].map((text) => ({
      what: `not an object: ${text.slice(0, 20)}`,
      body: text,
    })),
    { what: 'bytes that are no UTF-8', body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
    { what: 'UTF-16', body: new Uint8Array(Buffer.from(good, 'utf16le')) },
    { what: '2 MB in a field', body: JSON.stringify({ ...body, [firstField]: 'x'.repeat(TWO_MEGABYTES) }) },
    { what: '2 MB of blanks', body: `${good}${' '.repeat(TWO_MEGABYTES)}` },
    { what: `${DEEP} lists in each other`, body: '['.repeat(DEEP) + ']'.repeat(DEEP) },
    { what: `${DEEP} lists never closed`, body: '['.repeat(DEEP) },
    { what: `${DEEP} objects in each other`, body: `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`, saysNothing: true },
    {
      what: `a field ${DEEP} deep`,
      body: JSON.stringify({ ...body, [firstField]: 0 }).replace(/:0/, `:${'['.repeat(DEEP)}${']'.repeat(DEEP)}`),
    },
    {
      what: 'fields of the prototype',
      body: `{"__proto__":${good},"constructor":{"prototype":${good}}}`,
      saysNothing: true,
    },
    { what: 'an unknown field alone', body: '{"no_such_field":1}', saysNothing: true },
    ...Object.entries(body).flatMap(([field, value]) => spoiltFields(body, field, value)),
  ];
}

function spoiltFields(body: Readonly<Record<string, unknown>>, field: string, value: unknown): SpoiltBody[] {
  if (typeof value !== 'string') return [];
  // Written by hand, because JSON.stringify escapes unpaired surrogates and NUL.
  const others = Object.entries(body).filter(([name]) => name !== field);
  const rest = others.map(([name, other]) => `,${JSON.stringify(name)}:${JSON.stringify(other)}`).join('');
  const withValue = (text: string) => `{${JSON.stringify(field)}:${text}${rest}}`;
  return [
    { what: `${field} with NUL`, body: withValue('"a\\u0000b"') },
    { what: `${field} with half a surrogate pair`, body: withValue('"a\\ud83d"') },
    { what: `${field} with the other half`, body: withValue('"\\ude00a"') },
    { what: `${field} as an object`, body: withValue('{"a":{"b":[]}}') },
    { what: `${field} as a list`, body: withValue('[["x"],null]') },
  ];
}
