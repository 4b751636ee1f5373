import type { Parameters } from './parameters.ts';
import { type Rows, rowSql } from './rows-sql.ts';

/** What every statement of the data service answers with, in one row. */
export interface StatementAnswer {
  /** JSON text; null where nobody asked for rows. */
  readonly body: string | null;
  /** Rows in the answer, or rows that a change has met. */
  readonly affected: number;
  /** Rows in all, whatever the page; null where nobody counted. */
  readonly total: number | null;
  /** Rows of an upsert that were there already. */
  readonly updated?: string | null;
  /** What functions and triggers said with `set_config('response.status', …)`. */
  readonly response_status: string | null;
  readonly response_headers: string | null;
}

/** Must be read after everything else of a statement has run: in its outermost select list. */
export const RESPONSE_SETTINGS = `nullif(current_setting('response.status', true), '') as response_status,
  nullif(current_setting('response.headers', true), '') as response_headers`;

/** The form of the rows in a body. */
export interface BodyForm {
  /** `rows`: JSON objects. `values`: the first field of each row. `texts`: an array of texts for each row, for CSV. */
  readonly kind: 'rows' | 'values' | 'texts';
  /** Keys whose value is null are left out. */
  readonly stripNulls: boolean;
}

/** All rows of such a query, which stands under the name `page`, as one JSON array. */
export function bodySql(rows: Rows, { kind, stripNulls }: BodyForm, parameters: Parameters): string {
  const array = `coalesce(json_agg(${elementSql(rows, kind, parameters)}), '[]')`;
  return stripNulls ? `json_strip_nulls(${array})::text` : `${array}::text`;
}

function elementSql(rows: Rows, kind: BodyForm['kind'], parameters: Parameters): string {
  if (kind === 'values') return 'page.c1';
  if (kind === 'texts')
    return `array[${rows.outputs.map((_, index) => `page.c${index + 1}::text`).join(', ')}]::text[]`;
  return rows.labelled ? 'page' : rowSql(rows, 'page', parameters);
}
