import type { ApiRole } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import { REALTIME_LIMITS } from '../limits.ts';

export interface TableColumn {
  readonly name: string;
  /** Quoted for use in a statement. */
  readonly identifier: string;
  /** The name in pg_type, by which the client converts values: `int4`, `timestamptz`, `_text`. */
  readonly type: string;
  /** The type's name for a cast. */
  readonly cast: string;
  /** Whether two values are equal exactly when their JSON forms are. */
  readonly exact: boolean;
  readonly key: boolean;
  /** Whether the role may SELECT it. */
  readonly readable: boolean;
}

/** The result of `realtime.describe_table`: a published table as seen by one role. */
export interface TableDescription {
  readonly schema: string;
  readonly table: string;
  /** Qualified and quoted. */
  readonly identifier: string;
  readonly alias: string;
  readonly captured: boolean;
  /** Whether row-level security applies to this role. */
  readonly rowSecurity: boolean;
  /** REPLICA IDENTITY FULL: an update carries the old values of every column. */
  readonly oldValues: boolean;
  readonly columns: readonly TableColumn[];
  /** The role's SELECT policies as a condition on a row named `alias`; null where the role sees every row. */
  readonly visible: string | null;
}

export interface PublishedTable {
  readonly schema: string;
  readonly table: string;
}

/** The tables of the publication `supabase_realtime` as seen by each role, cached for a few seconds. */
export class PublishedTables {
  #database: Pick<Database, 'asService' | 'asOwner'>;
  #now: () => number;
  #known = new Map<string, { readAt: number; description: Promise<TableDescription | null> }>();

  constructor(database: Pick<Database, 'asService' | 'asOwner'>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Returns null for a table that is not published. */
  describe(schema: string, table: string, role: ApiRole): Promise<TableDescription | null> {
    const key = JSON.stringify([schema, table, role]);
    const now = this.#now();
    const known = this.#known.get(key);
    const age = known === undefined ? -1 : now - known.readAt;
    // A negative age means that the clock was set back; the entry's age is then unknown.
    if (known !== undefined && age >= 0 && age < REALTIME_LIMITS.descriptionMs) return known.description;
    const description = this.#read(schema, table, role);
    this.#known.set(key, { readAt: now, description });
    // Failures and unknown names are not cached: a client could fill the cache with made-up names.
    description.then(
      (found) => found ?? this.#known.delete(key),
      () => this.#known.delete(key),
    );
    return description;
  }

  /** Returns the published tables that match, where `*` matches any schema or table. */
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
    // The table was added to the publication with plain SQL, so its changes are not captured yet.
    await this.#database.asOwner({
      text: 'select realtime.capture_table($1::regclass)',
      values: [found.identifier],
    });
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
