import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RestError } from '../rest-error.ts';
import { parsePreferences } from './parse-preferences.ts';
import { parseQuery } from './parse-query.ts';
import { splitQueryString } from './split-query-string.ts';

const parse = (queryString: string) => parseQuery(splitQueryString(queryString));
const field = (column: string) => ({ column, steps: [] });

describe('select', () => {
  test.each([
    ['', [{ kind: 'all' }]],
    ['*', [{ kind: 'all' }]],
    ['id', [{ kind: 'field', path: field('id'), alias: null, cast: null, aggregate: null }]],
    ['label:name::text', [{ kind: 'field', path: field('name'), alias: 'label', cast: 'text', aggregate: null }]],
    [
      'facts->a->0->>"b.c"',
      [
        {
          kind: 'field',
          path: {
            column: 'facts',
            steps: [
              { arrow: '->', key: 'a' },
              { arrow: '->', key: 0 },
              { arrow: '->>', key: 'b.c' },
            ],
          },
          alias: null,
          cast: null,
          aggregate: null,
        },
      ],
    ],
    [
      '...owner!inner(name),all:messages!by_item!left(count())',
      [
        {
          kind: 'relation',
          relation: 'owner',
          alias: null,
          hints: ['inner'],
          spread: true,
          select: [{ kind: 'field', path: field('name'), alias: null, cast: null, aggregate: null }],
        },
        {
          kind: 'relation',
          relation: 'messages',
          alias: 'all',
          hints: ['by_item', 'left'],
          spread: false,
          select: [
            { kind: 'field', path: field(''), alias: null, cast: null, aggregate: { name: 'count', cast: null } },
          ],
        },
      ],
    ],
  ])('%s', (text, select) => {
    expect(parse(`select=${encodeURIComponent(text)}`).select).toEqual(select);
  });
});

describe('conditions', () => {
  const tested = (column: string, test: object, negated = false) => ({
    kind: 'test',
    negated,
    path: field(column),
    test,
  });
  test.each([
    ['a=eq.1.5', tested('a', { kind: 'binary', operator: 'eq', value: '1.5' })],
    ['a=eq.', tested('a', { kind: 'binary', operator: 'eq', value: '' })],
    ['a=not.eq.not.b', tested('a', { kind: 'binary', operator: 'eq', value: 'not.b' }, true)],
    ['a=neq.(,)', tested('a', { kind: 'binary', operator: 'neq', value: '(,)' })],
    ['a=in.(1,"b,\\"c\\")",)', tested('a', { kind: 'in', values: ['1', 'b,"c")', ''] })],
    ['a=in.()', tested('a', { kind: 'in', values: [] })],
    ['a=is.NULL', tested('a', { kind: 'is', truth: 'null' })],
    ['a=is.not_null', tested('a', { kind: 'is', truth: 'not_null' })],
    ['a=like(any).{x*,y}', tested('a', { kind: 'quantified', operator: 'like', quantifier: 'any', value: '{x*,y}' })],
    ['a=phfts(english).x y', tested('a', { kind: 'text-search', operator: 'phfts', config: 'english', value: 'x y' })],
    ['"a.b"=gte.2', tested('a.b', { kind: 'binary', operator: 'gte', value: '2' })],
    ['two words=lt.3', tested('two words', { kind: 'binary', operator: 'lt', value: '3' })],
    ['a-b=lt.3', tested('a-b', { kind: 'binary', operator: 'lt', value: '3' })],
  ])('%s', (text, condition) => {
    const [name = '', ...value] = text.split('=');
    const encoded = `${encodeURIComponent(name)}=${encodeURIComponent(value.join('='))}`;
    expect(parse(encoded).conditions).toEqual([condition]);
  });

  test('logic trees nest, and values in them end at commas and brackets', () => {
    expect(parse('or=(a.eq.1,not.and(b.in.(2,3),c.cs.{4,5}),d.not.is.null,e.eq."f,)")').conditions).toEqual([
      {
        kind: 'or',
        negated: false,
        parts: [
          tested('a', { kind: 'binary', operator: 'eq', value: '1' }),
          {
            kind: 'and',
            negated: true,
            parts: [
              tested('b', { kind: 'in', values: ['2', '3'] }),
              tested('c', { kind: 'binary', operator: 'cs', value: '{4,5}' }),
            ],
          },
          tested('d', { kind: 'is', truth: 'null' }, true),
          tested('e', { kind: 'binary', operator: 'eq', value: 'f,)' }),
        ],
      },
    ]);
  });

  test('a quoted value comes back as it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (values) => {
        const quoted = values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',');
        const [inList] = parse(`a=${encodeURIComponent(`in.(${quoted})`)}`).conditions;
        expect(inList).toEqual(tested('a', { kind: 'in', values }));
        const [inTree] = parse(`or=${encodeURIComponent(`(a.in.(${quoted}))`)}`).conditions;
        expect(inTree).toEqual({ kind: 'or', negated: false, parts: [tested('a', { kind: 'in', values })] });
      }),
    );
  });
});

test('order, pages and names of columns', () => {
  expect(parse('order=a.desc.nullslast,b,facts->>c.asc.nullsfirst&limit=5&offset=10&columns="a b",c')).toMatchObject({
    order: [
      { path: field('a'), descending: true, nulls: 'last' },
      { path: field('b'), descending: false, nulls: null },
      { path: { column: 'facts', steps: [{ arrow: '->>', key: 'c' }] }, descending: false, nulls: 'first' },
    ],
    limit: 5,
    offset: 10,
    columns: ['a b', 'c'],
  });
});

test('whatever it is given, the grammar reads it or refuses it as PostgREST does', () => {
  const piece = fc.constantFrom(
    ...'.,()"\\:!*{}->0az é'.split(''),
    'eq.',
    'in.(',
    'not.',
    'and(',
    '->>',
    '::',
    '...',
    'is.null',
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  const name = fc.oneof(fc.constantFrom('select', 'order', 'or', 'not.and', 'limit', 'columns', 'a'), text);
  fc.assert(
    fc.property(fc.array(fc.tuple(name, text), { maxLength: 3 }), (parameters) => {
      try {
        parseQuery(parameters);
      } catch (error) {
        expect(error).toBeInstanceOf(RestError);
        expect(error).toMatchObject({ code: expect.stringMatching(/^PGRST10[03]$/) });
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [undefined, {}],
  ['return=representation, count=exact', { returning: 'representation', count: 'exact' }],
  ['return=minimal,return=representation', { returning: 'minimal' }],
  ['max-affected=3', { maxAffected: null }],
  ['handling=strict, max-affected=3', { handling: 'strict', maxAffected: 3 }],
  ['__proto__=x, tx=rollback, count=some', { count: null }],
])('Prefer: %s', (header, expected) => {
  expect(parsePreferences(header)).toMatchObject(expected);
});
