import type { Config } from '#server/config.ts';
import type { MissLimit } from '#server/limits/miss-limit.ts';
import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Guard } from './guard.ts';
import type { Schema } from './schema-cache/schema.ts';
import type { StatementNames } from './sql/statement-names.ts';

/** What the requests of one schema share. */
export interface RestContext {
  readonly database: Database;
  readonly schema: Schema;
  readonly names: StatementNames;
  /** Empty for a schema other than the product's own. */
  readonly guards: ReadonlyMap<string, Guard>;
  readonly misses: MissLimit;
  readonly settings: Config['rest'];
  /** Null for the connection's default. */
  readonly searchPath: string | null;
}

export interface RestRequest {
  readonly method: string;
  /** The path after `/rest/v1`. */
  readonly path: string;
  /** The last segment of the path: a table, a view or a function. */
  readonly name: string;
  /** The query string as sent, without the question mark. */
  readonly queryString: string;
  readonly accept: string | undefined;
  readonly prefer: string | undefined;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly raw: Request;
  readonly caller: Caller;
  readonly clientAddress: string;
}
