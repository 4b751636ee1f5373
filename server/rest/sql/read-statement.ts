import type { Statement } from '#server/postgres/statement.ts';
import { type BodyForm, bodySql, RESPONSE_SETTINGS } from './answer-sql.ts';
import type { ReadNode } from './read-node.ts';
import { rowsSql, type Writing } from './rows-sql.ts';

export interface RowSource {
  /** What stands after `from`, without the name that the statement gives it. */
  readonly source: string;
  /** `with … `, which the source refers to. */
  readonly prelude?: string;
}

export interface ReadOptions {
  /** Counts all rows that fit, whatever the page. */
  readonly count: boolean;
  /** Null for a HEAD request, which wants the counts alone. */
  readonly form: BodyForm | null;
}

/** Rows of a table, a view or a function's result, and how many there are. */
export function readStatement(
  node: ReadNode,
  writing: Writing,
  { source, prelude = '' }: RowSource,
  { count, form }: ReadOptions,
): { readonly statement: Statement; readonly fields: readonly string[] } {
  const { parameters } = writing;
  const rows = rowsSql(node, writing, {
    from: `${source} as ${node.alias}`,
    mostRows: writing.mostRows,
    numbered: form !== null && form.kind !== 'rows',
  });
  const body = form === null ? 'null' : bodySql(rows, form, parameters);
  const total = count ? `(select count(*) from (${rows.uncut}) as uncut)` : 'null';
  const text = `${prelude}select ${body} as body, count(*)::int as affected, ${total}::int as total,
  ${RESPONSE_SETTINGS} from (${rows.sql}) as page`;
  return { statement: parameters.statement(text), fields: rows.outputs.map(({ name }) => name) };
}
