import { embedNotTested } from '../errors.ts';
import type { Condition } from '../grammar/tree.ts';
import { fieldSql } from './field-sql.ts';
import { joinSql } from './join-sql.ts';
import { testSql } from './operator-sql.ts';
import type { Parameters } from './parameters.ts';
import { type Embed, findEmbed, type ReadNode } from './read-node.ts';

type TestCondition = Extract<Condition, { kind: 'test' }>;

/**
 * Returns the `where` clause of a node: the request's conditions, the existence of inner relations, and `more`. Returns
 * an empty string without conditions.
 */
export function whereSql(node: ReadNode, parameters: Parameters, more: readonly string[] = []): string {
  const all = [
    ...more,
    ...node.conditions.map((condition) => conditionSql(node, condition, parameters)),
    ...node.embeds.filter(({ inner }) => inner).map((embed) => existsSql(node, embed, parameters)),
  ];
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`;
}

function conditionSql(node: ReadNode, condition: Condition, parameters: Parameters): string {
  const not = condition.negated ? 'not ' : '';
  if (condition.kind !== 'test') {
    const parts = condition.parts.map((part) => conditionSql(node, part, parameters));
    return `${not}(${parts.join(` ${condition.kind} `)})`;
  }
  const { column: name, steps } = condition.path;
  const column = node.relation.columns.get(name);
  const embed = steps.length === 0 ? findEmbed(node, name) : undefined;
  if (embed !== undefined && (column === undefined || asksForNull(condition))) {
    return embedTestSql(node, embed, condition, parameters);
  }
  const field = fieldSql(node, condition.path, parameters);
  const isText = column?.type !== 'tsvector' || steps.length > 0;
  return `${not}(${testSql(field, isText, condition.test, parameters)})`;
}

function asksForNull({ test }: TestCondition): boolean {
  return test.kind === 'is' && (test.truth === 'null' || test.truth === 'not_null');
}

/** `messages=is.null` matches rows that embed none. It is the only test for an embedded relation as a whole. */
function embedTestSql(node: ReadNode, embed: Embed, condition: TestCondition, parameters: Parameters): string {
  const { test, negated } = condition;
  if (test.kind !== 'is' || !asksForNull(condition)) throw embedNotTested(embed.name);
  const exists = (test.truth === 'not_null') !== negated;
  return `${exists ? '' : 'not '}${existsSql(node, embed, parameters)}`;
}

function existsSql(parent: ReadNode, embed: Embed, parameters: Parameters): string {
  const { from, conditions } = joinSql(parent, embed);
  const { limit } = embed.node;
  const page = limit === null ? '' : ` limit ${parameters.add(limit)}`;
  return `exists (select from ${from}${whereSql(embed.node, parameters, conditions)}${page})`;
}
