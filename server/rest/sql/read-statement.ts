import type { Statement } from '#server/postgres/statement.ts';
import type { ReadNode } from './read-node.ts';
import { type BodyForm, bodySql, RESPONSE_SETTINGS } from './response-sql.ts';
import { rowsSql, type Writing } from './rows-sql.ts';

export interface RowSource {
  /** The `from` clause, without the alias. */
  readonly source: string;
  /** Returns a `with` clause that the source refers to, once the fields that it reads are known. */
  readonly prelude?: () => string;
}

export interface ReadOptions {
  /** Whether to count all matching rows, regardless of the page. */
  readonly count: boolean;
  /** Null for a HEAD request, which needs only the count. */
  readonly form: BodyForm | null;
}

/** Builds the statement that reads rows of a table, a view or a function, and their count. */
export function readStatement(
  node: ReadNode,
  writing: Writing,
  { source, prelude }: RowSource,
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
  const text = `${prelude?.() ?? ''}select ${body} as body, count(*)::int as affected, ${total}::int as total,
  ${RESPONSE_SETTINGS} from (${rows.sql}) as page`;
  return { statement: parameters.statement(text), fields: rows.outputs.map(({ name }) => name) };
}
