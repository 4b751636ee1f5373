import type { Parameters } from './parameters.ts';
import { type Rows, rowSql } from './rows-sql.ts';

/** The one row that every statement of the data service returns. */
export interface StatementResponse {
  /** JSON text; null where no rows are requested. */
  readonly body: string | null;
  /** Rows in the response, or rows that a change affected. */
  readonly affected: number;
  /** All rows regardless of the page; null where they were not counted. */
  readonly total: number | null;
  /** Rows that an upsert updated. */
  readonly updated?: string | null;
  /** Set by functions and triggers with `set_config('response.status', …)`. */
  readonly response_status: string | null;
  readonly response_headers: string | null;
}

/** Must be in the outermost select list, which is evaluated after the rest of the statement. */
export const RESPONSE_SETTINGS = `nullif(current_setting('response.status', true), '') as response_status,
  nullif(current_setting('response.headers', true), '') as response_headers`;

/** The form of the rows in a body. */
export interface BodyForm {
  /** `rows`: JSON objects. `values`: the first field of each row. `texts`: an array of texts for each row, for CSV. */
  readonly kind: 'rows' | 'values' | 'texts';
  /** Whether null values are omitted. */
  readonly stripNulls: boolean;
}

/** Returns an expression for all rows of the query `page` as one JSON array. */
export function bodySql(rows: Rows, { kind, stripNulls }: BodyForm, parameters: Parameters): string {
  const array = `coalesce(json_agg(${elementSql(rows, kind, parameters)}), '[]')`;
  return stripNulls ? `json_strip_nulls(${array})::text` : `${array}::text`;
}

function elementSql(rows: Rows, kind: BodyForm['kind'], parameters: Parameters): string {
  if (kind === 'values') return 'page.c1';
  if (kind === 'texts')
    return `array[${rows.outputs.map((_, index) => `page.c${index + 1}::text`).join(', ')}]::text[]`;
  // With the asterisk it is the row, also where a column has the name of the query.
  return rows.labeled ? 'page.*' : rowSql(rows, 'page', parameters);
}
