import type { BinaryOperator, Condition, Test, TextSearchOperator, Truth } from '../grammar/tree.ts';
import type { Columns } from '../schema-cache/schema.ts';
import { fieldSql } from './field-sql.ts';
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

/** `where …` for conditions that must all hold; nothing where there are none. */
export function whereSql(relation: Columns, conditions: readonly Condition[], parameters: Parameters): string {
  if (conditions.length === 0) return '';
  return ` where ${conditions.map((condition) => conditionSql(relation, condition, parameters)).join(' and ')}`;
}

function conditionSql(relation: Columns, condition: Condition, parameters: Parameters): string {
  const not = condition.negated ? 'not ' : '';
  if (condition.kind === 'test') {
    const field = fieldSql(relation, condition.path, parameters);
    const isText = relation.columns.get(condition.path.column)?.type !== 'tsvector' || condition.path.steps.length > 0;
    return `${not}(${testSql(field, isText, condition.test, parameters)})`;
  }
  const parts = condition.parts.map((part) => conditionSql(relation, part, parameters));
  return `${not}(${parts.join(` ${condition.kind} `)})`;
}

/** A parameter takes its type from what it is compared with, so a value is read as the column's own type. */
function testSql(field: string, isText: boolean, test: Test, parameters: Parameters): string {
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

/** In a URL a star stands for the percent sign. */
function pattern(operator: BinaryOperator, value: string): string {
  return operator === 'like' || operator === 'ilike' ? value.replaceAll('*', '%') : value;
}
