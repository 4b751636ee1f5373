import type * as v from 'valibot';
import { flag, schemaNames, wholeNumber } from './values.ts';

/** The variables of the data service. */
export const restVariables = {
  REST_SCHEMAS: schemaNames('public'),
  REST_EXTRA_SEARCH_PATH: schemaNames('public'),
  REST_MAX_ROWS: wholeNumber(1_000, 1, 100_000),
  REST_AGGREGATES: flag(false),
  REST_PLAN: flag(false),
};

export function restSettings(env: v.InferOutput<v.ObjectSchema<typeof restVariables, undefined>>) {
  return {
    /** The schemas that requests may name. The first is the default. */
    schemas: env.REST_SCHEMAS,
    /** The schemas that follow the request's schema in `search_path`. */
    searchPath: env.REST_EXTRA_SEARCH_PATH,
    mostRows: env.REST_MAX_ROWS,
    aggregates: env.REST_AGGREGATES,
    plan: env.REST_PLAN,
  };
}
