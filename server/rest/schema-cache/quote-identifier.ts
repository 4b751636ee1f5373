import type { CatalogueSql } from './schema.ts';

/**
 * The only place that turns a name into SQL text. Only the catalogue reader calls it, so it receives only existing
 * names: names in requests are looked up in the schema cache and never get here.
 */
export function quoteIdentifier(...catalogueNames: readonly string[]): CatalogueSql {
  // This brand is given only here and in read-schema.ts.
  return catalogueNames.map((name) => `"${name.replaceAll('"', '""')}"`).join('.') as CatalogueSql;
}
