import type { BinaryOperator, Test, TextSearchOperator, Truth } from '../grammar/tree.ts';
import type { Parameters } from './parameters.ts';

const OPERATORS: Readonly<Record<BinaryOperator, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
  isdistinct: 'is distinct from',
};

const TRUTHS: Readonly<Record<Truth, string>> = {
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
};

const SEARCHES: Readonly<Record<TextSearchOperator, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

/** Returns a test as SQL. A parameter takes its type from the field, so its value is parsed as the column's type. */
export function testSql(field: string, isText: boolean, test: Test, parameters: Parameters): string {
  switch (test.kind) {
    case 'binary':
      return `${field} ${OPERATORS[test.operator]} ${parameters.add(pattern(test.operator, test.value))}`;
    case 'quantified':
      return `${field} ${OPERATORS[test.operator]} ${test.quantifier}(${parameters.add(pattern(test.operator, test.value))})`;
    case 'in':
      return `${field} = any(${parameters.add(test.values)})`;
    case 'is':
      return `${field} is ${TRUTHS[test.truth]}`;
    case 'text-search': {
      const config = test.config === null ? '' : `${parameters.add(test.config)}::text::regconfig, `;
      const document = isText ? `to_tsvector(${config}${field})` : field;
      return `${document} @@ ${SEARCHES[test.operator]}(${config}${parameters.add(test.value)})`;
    }
  }
}

/** In a URL, `*` stands for `%`. */
function pattern(operator: BinaryOperator, value: string): string {
  return operator === 'like' || operator === 'ilike' ? value.replaceAll('*', '%') : value;
}
