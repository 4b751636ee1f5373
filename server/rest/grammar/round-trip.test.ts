import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { type Parameter, splitQueryString } from './split-query-string.ts';
import {
  AGGREGATES,
  type Condition,
  type FieldPath,
  type OrderTerm,
  PLAIN,
  QUANTIFIABLE,
  type Query,
  type SelectItem,
  type Shape,
  TEXT_SEARCH,
  type Test,
  TRUTHS,
} from './tree.ts';

/** Any text that a URL can carry. */
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
const path: Arbitrary<FieldPath> = fc.record({
  column: name,
  steps: fc.array(
    fc.record({ arrow: fc.constantFrom('->', '->>'), key: fc.oneof(name, fc.integer({ min: -9_999, max: 9_999 })) }),
    { maxLength: 2 },
  ),
});

const comparison: Arbitrary<Test> = fc.oneof(
  fc.record({ kind: fc.constant('binary'), operator: fc.constantFrom(...PLAIN, ...QUANTIFIABLE), value: text }),
  fc.record({
    kind: fc.constant('quantified'),
    operator: fc.constantFrom(...QUANTIFIABLE),
    quantifier: fc.constantFrom('any', 'all'),
    value: text,
  }),
  fc.record({ kind: fc.constant('in'), values: fc.array(text, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('is'), truth: fc.constantFrom(...TRUTHS) }),
  fc.record({
    kind: fc.constant('text-search'),
    operator: fc.constantFrom(...TEXT_SEARCH),
    config: fc.option(fc.constantFrom('english', 'simple')),
    value: text,
  }),
);

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('test'), negated: fc.boolean(), path, test: comparison }),
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      negated: fc.boolean(),
      parts: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

const { item } = fc.letrec<{ item: SelectItem }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant({ kind: 'all' }),
    fc.record({
      kind: fc.constant('field'),
      path,
      alias: fc.option(name),
      cast: fc.option(name),
      aggregate: fc.option(fc.record({ name: fc.constantFrom(...AGGREGATES), cast: fc.option(name) })),
    }),
    fc
      .record({
        kind: fc.constant('relation'),
        relation: name,
        alias: fc.option(name),
        hints: fc.array(name, { maxLength: 2 }),
        spread: fc.boolean(),
        select: fc.array(tie('item'), { maxLength: 3 }),
      })
      // What is spread has no name to change.
      .map((relation) => (relation.spread ? { ...relation, alias: null } : relation)),
  ),
}));

const order: Arbitrary<OrderTerm> = fc.record({
  relation: fc.option(name),
  path,
  descending: fc.boolean(),
  nulls: fc.option(fc.constantFrom('first', 'last')),
});

const count = fc.integer({ min: 0, max: 1e9 });
const shape: Arbitrary<Shape> = fc.record({
  conditions: fc.array(condition, { maxLength: 3 }),
  order: fc.array(order, { maxLength: 2 }),
  limit: fc.option(count),
  offset: count,
});

const query: Arbitrary<Query> = fc
  .record({
    own: shape,
    select: fc.array(item, { minLength: 1, maxLength: 4 }),
    columns: fc.option(fc.array(name, { minLength: 1, maxLength: 3 })),
    onConflict: fc.option(fc.array(name, { minLength: 1, maxLength: 2 })),
    embedded: fc.uniqueArray(
      fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), shape).map(([way, inner]) => ({ path: way, ...inner })),
      { maxLength: 2, selector: ({ path: way }) => JSON.stringify(way) },
    ),
  })
  .map(({ own, ...rest }) => ({ ...own, ...rest }));

test('a tree that is written and read again is the same, whatever its names and values contain', () => {
  fc.assert(
    fc.property(query, (tree) => {
      const queryString = parametersOf(tree)
        .map((parameter) => parameter.map(encodeURIComponent).join('='))
        .join('&');
      expect(parseQuery(splitQueryString(queryString))).toEqual(tree);
    }),
    { numRuns: 500 },
  );
});

const quote = (word: string) => `"${word.replace(/["\\]/g, '\\$&')}"`;

function parametersOf(tree: Query): readonly Parameter[] {
  const names = (list: readonly string[]) => list.map(quote).join(',');
  return [
    ['select', tree.select.map(itemText).join(',')],
    ...(tree.columns === null ? [] : [['columns', names(tree.columns)] as const]),
    ...(tree.onConflict === null ? [] : [['on_conflict', names(tree.onConflict)] as const]),
    ...shapeParameters('', tree),
    ...tree.embedded.flatMap((inner) => shapeParameters(`${inner.path.map(quote).join('.')}.`, inner)),
  ];
}

function shapeParameters(way: string, { conditions, order: terms, limit, offset }: Shape): readonly Parameter[] {
  return [
    // Always present, so that the relation is named even without other parameters.
    [`${way}offset`, String(offset)],
    ...(limit === null ? [] : [[`${way}limit`, String(limit)] as const]),
    ...(terms.length === 0 ? [] : [[`${way}order`, terms.map(orderText).join(',')] as const]),
    ...conditions.map((one): Parameter => {
      if (one.kind === 'test')
        return [`${way}${pathText(one.path)}`, `${one.negated ? 'not.' : ''}${testText(one.test, (value) => value)}`];
      return [`${way}${one.negated ? 'not.' : ''}${one.kind}`, `(${one.parts.map(partText).join(',')})`];
    }),
  ];
}

function partText(part: Condition): string {
  if (part.kind === 'test') return `${pathText(part.path)}.${part.negated ? 'not.' : ''}${testText(part.test, quote)}`;
  return `${part.negated ? 'not.' : ''}${part.kind}(${part.parts.map(partText).join(',')})`;
}

function testText(one: Test, value: (text: string) => string): string {
  switch (one.kind) {
    case 'binary':
      return `${one.operator}.${value(one.value)}`;
    case 'quantified':
      return `${one.operator}(${one.quantifier}).${value(one.value)}`;
    case 'in':
      return `in.(${one.values.map(quote).join(',')})`;
    case 'is':
      return `is.${one.truth}`;
    case 'text-search':
      return `${one.operator}${one.config === null ? '' : `(${one.config})`}.${value(one.value)}`;
  }
}

function pathText({ column, steps }: FieldPath): string {
  return quote(column) + steps.map(({ arrow, key }) => arrow + (typeof key === 'number' ? key : quote(key))).join('');
}

function orderText({ relation, path: field, descending, nulls }: OrderTerm): string {
  const term = relation === null ? pathText(field) : `${quote(relation)}(${pathText(field)})`;
  return `${term}${descending ? '.desc' : '.asc'}${nulls === null ? '' : `.nulls${nulls}`}`;
}

function itemText(one: SelectItem): string {
  const cast = (type: string | null) => (type === null ? '' : `::${quote(type)}`);
  if (one.kind === 'all') return '*';
  const alias = one.alias === null ? '' : `${quote(one.alias)}:`;
  if (one.kind === 'field') {
    const aggregate = one.aggregate === null ? '' : `.${one.aggregate.name}()${cast(one.aggregate.cast)}`;
    return `${alias}${pathText(one.path)}${cast(one.cast)}${aggregate}`;
  }
  const hints = one.hints.map((hint) => `!${quote(hint)}`).join('');
  return `${one.spread ? '...' : ''}${alias}${quote(one.relation)}${hints}(${one.select.map(itemText).join(',')})`;
}
