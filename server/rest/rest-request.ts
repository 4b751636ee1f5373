import type { Config } from '#server/config.ts';
import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Guard } from './guarded-functions.ts';
import type { Schema } from './schema-cache/schema.ts';
import type { StatementNames } from './sql/statement-names.ts';
import type { UndoneClaims } from './undone-claims.ts';

/** What every request of one schema is served with. */
export interface RestContext {
  readonly database: Database;
  readonly schema: Schema;
  readonly names: StatementNames;
  /** None for a schema that is not the product's own. */
  readonly guards: ReadonlyMap<string, Guard>;
  readonly claims: UndoneClaims;
  readonly settings: Config['rest'];
  /** Null where it is the connection's own. */
  readonly searchPath: string | null;
}

export interface RestRequest {
  readonly method: string;
  /** After `/rest/v1`. */
  readonly path: string;
  /** The last step of the path: a table, a view or a function. */
  readonly name: string;
  /** What follows the question mark, as it was sent. */
  readonly queryString: string;
  readonly accept: string | undefined;
  readonly prefer: string | undefined;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly raw: Request;
  readonly caller: Caller;
  readonly clientAddress: string;
}
