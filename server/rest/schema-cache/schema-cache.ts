import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';
import { readSchema } from './read-schema.ts';
import type { Schema } from './schema.ts';
import { warnOfUnguardedTables } from './unguarded-tables.ts';

/** The channel for an operator's `NOTIFY pgrst, 'reload schema'`. */
const CHANNEL = 'pgrst';

type Schemas = ReadonlyMap<string, Schema>;

interface SchemaCacheOptions {
  readonly database: Database;
  readonly log: ServiceLog;
  /** The exposed schemas. */
  readonly names: readonly string[];
}

/** The exposed schemas, read from the catalogue at the first request and again after each reload notification. */
export class SchemaCache {
  /** The latest result; undefined before the first read. */
  current: Schemas | undefined;
  #loading: Promise<Schemas> | undefined;
  #listening: Promise<unknown> | undefined;
  #database: Database;
  #log: ServiceLog;
  #names: readonly string[];

  constructor({ database, log, names }: SchemaCacheOptions) {
    this.#database = database;
    this.#log = log;
    this.#names = names;
  }

  /** Returns the cached schemas, or reads them. Rejects where the database fails; the next call retries. */
  async load(): Promise<Schemas> {
    if (this.current !== undefined) return this.current;
    await this.#listen();
    return this.#read();
  }

  /** Must listen before the first read, so that no change is missed in between. */
  #listen(): Promise<unknown> {
    this.#listening ??= this.#database
      .listen(CHANNEL, {
        onPayload: (payload) => {
          if (payload === '' || payload === 'reload schema') this.#refresh();
        },
        onGap: () => this.#refresh(),
      })
      .catch((error: unknown) => {
        this.#listening = undefined;
        throw error;
      });
    return this.#listening;
  }

  #read(): Promise<Schemas> {
    this.#loading ??= Promise.all(this.#names.map((name) => readSchema(this.#database, name)))
      .then((schemas) => {
        this.current = new Map(schemas.map((schema) => [schema.name, schema]));
        warnOfUnguardedTables({ database: this.#database, log: this.#log }, this.#names).catch((error: unknown) => {
          this.#log.warn({ err: error }, 'The tables without policies could not be read.');
        });
        return this.current;
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  /** A read in progress may have begun before the change, so another one follows it. */
  #refresh(): void {
    const before = this.#loading?.catch(() => undefined) ?? Promise.resolve();
    before
      .then(() => this.#read())
      .catch((error: unknown) => {
        this.#log.error({ err: error }, 'The schema cache could not be reloaded; the previous one stays in use.');
      });
  }
}
