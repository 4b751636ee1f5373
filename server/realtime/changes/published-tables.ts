import type { ApiRole } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import { REALTIME_LIMITS } from './limits.ts';

export interface TableColumn {
  readonly name: string;
  /** Quoted, fit to stand in a statement. */
  readonly identifier: string;
  /** The name in pg_type, which the client converts by: `int4`, `timestamptz`, `_text`. */
  readonly type: string;
  /** The type's name in a cast. */
  readonly cast: string;
  /** Whether two values of it are equal exactly when their JSON forms are. */
  readonly exact: boolean;
  readonly key: boolean;
  /** Whether the role may SELECT it. */
  readonly readable: boolean;
}

/** What `realtime.describe_table` says of a published table to one role. */
export interface TableDescription {
  readonly schema: string;
  readonly table: string;
  /** Qualified and quoted. */
  readonly identifier: string;
  readonly alias: string;
  readonly captured: boolean;
  /** Whether row-level security decides for this role. */
  readonly rowSecurity: boolean;
  /** REPLICA IDENTITY FULL: an update tells the old values of every column. */
  readonly oldValues: boolean;
  readonly columns: readonly TableColumn[];
  /** The role's SELECT policies as a condition on a row that goes by `alias`; null where it may see every row. */
  readonly visible: string | null;
}

export interface PublishedTable {
  readonly schema: string;
  readonly table: string;
}

/** The tables of the publication `supabase_realtime`, as each role may see them; remembered for some seconds. */
export class PublishedTables {
  #database: Pick<Database, 'asService' | 'ownerPool'>;
  #now: () => number;
  #known = new Map<string, { readAt: number; description: Promise<TableDescription | null> }>();

  constructor(database: Pick<Database, 'asService' | 'ownerPool'>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Null for a table that is not published. */
  describe(schema: string, table: string, role: ApiRole): Promise<TableDescription | null> {
    const key = JSON.stringify([schema, table, role]);
    const now = this.#now();
    const known = this.#known.get(key);
    const age = known === undefined ? -1 : now - known.readAt;
    // Below zero, too, where the clock was set back: then nothing is known of how old it is.
    if (known !== undefined && age >= 0 && age < REALTIME_LIMITS.descriptionMs) return known.description;
    const description = this.#read(schema, table, role);
    this.#known.set(key, { readAt: now, description });
    // A failure is not remembered, and neither is a name that a client made up.
    description.then(
      (found) => found ?? this.#known.delete(key),
      () => this.#known.delete(key),
    );
    return description;
  }

  /** The published tables that `*` in the place of the schema, the table or both stands for. */
  async matching(schema: string, table: string): Promise<PublishedTable[]> {
    const { rows } = await this.#database.asService<PublishedTable>({
      name: 'published_tables',
      text: `select schemaname::text as schema, tablename::text as table from pg_publication_tables
        where pubname = 'supabase_realtime' and $1::text in ('*', schemaname) and $2::text in ('*', tablename)`,
      values: [schema, table],
    });
    return rows;
  }

  async #read(schema: string, table: string, role: ApiRole): Promise<TableDescription | null> {
    const found = await this.#ask(schema, table, role);
    if (found === null || found.captured) return found;
    // Somebody added it to the publication with plain SQL: from now on it tells its changes too.
    await this.#database.ownerPool.query('select realtime.capture_table($1::regclass)', [found.identifier]);
    return this.#ask(schema, table, role);
  }

  async #ask(schema: string, table: string, role: ApiRole): Promise<TableDescription | null> {
    const { rows } = await this.#database.asService<{ description: TableDescription | null }>({
      name: 'describe_table',
      text: 'select realtime.describe_table($1, $2, $3) as description',
      values: [schema, table, role],
    });
    return rows[0]?.description ?? null;
  }
}
