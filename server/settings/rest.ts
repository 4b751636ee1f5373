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
  /** The schemas that requests may name. The first is the default. */
  readonly schemas: readonly string[];
  /** The schemas that follow the request's schema in `search_path`. */
  readonly searchPath: readonly string[];
  /** The most rows of one response. */
  readonly mostRows: number;
  /** Whether requests may use aggregate functions. */
  readonly aggregates: boolean;
  /** Whether requests may ask for a query's plan. */
  readonly plan: boolean;
  /** Whether requests may ask for a rollback. */
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
