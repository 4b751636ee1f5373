import type { CatalogueSql } from './schema.ts';

/**
 * The one place where a name becomes SQL text. It is called by the reader of the catalogue alone, so it sees only
 * names that exist: what a request names is looked up in the schema cache and never reaches this function.
 */
export function quoteIdentifier(...catalogueNames: readonly string[]): CatalogueSql {
  // The brand is given here and in read-schema.ts only.
  return catalogueNames.map((name) => `"${name.replaceAll('"', '""')}"`).join('.') as CatalogueSql;
}
