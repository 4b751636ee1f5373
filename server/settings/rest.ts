import type * as v from 'valibot';
import { flag, schemaNames, wholeNumber } from './values.ts';

/** The variables of the data service. */
export const restVariables = {
  REST_SCHEMAS: schemaNames('public'),
  REST_EXTRA_SEARCH_PATH: schemaNames('public'),
  REST_MAX_ROWS: wholeNumber(1_000, 1, 100_000),
  REST_AGGREGATES: flag(false),
  REST_PLAN: flag(false),
  REST_TX_ROLLBACK: flag(true),
};

export interface RestSettings {
  /** Those that callers may name; the first is that of calls which name none. */
  readonly schemas: readonly string[];
  /** What follows a call's schema in `search_path`. */
  readonly searchPath: readonly string[];
  /** More are never sent at once. */
  readonly mostRows: number;
  /** Callers may count, sum up and group. */
  readonly aggregates: boolean;
  /** Callers may ask for the plan of a query. */
  readonly plan: boolean;
  /** Callers may ask that nothing of a call is kept. */
  readonly rollback: boolean;
}

export function restSettings(env: v.InferOutput<v.ObjectSchema<typeof restVariables, undefined>>): RestSettings {
  return {
    schemas: env.REST_SCHEMAS,
    searchPath: env.REST_EXTRA_SEARCH_PATH,
    mostRows: env.REST_MAX_ROWS,
    aggregates: env.REST_AGGREGATES,
    plan: env.REST_PLAN,
    rollback: env.REST_TX_ROLLBACK,
  };
}
