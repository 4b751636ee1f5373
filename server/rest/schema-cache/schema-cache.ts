import type { ServiceLog } from '#server/log.ts';
import type { Database } from '#server/postgres/database.ts';
import { readSchema } from './read-schema.ts';
import type { Schema } from './schema.ts';

/** The channel on which an operator says `NOTIFY pgrst, 'reload schema'`. */
const CHANNEL = 'pgrst';

/** The exposed schema, read from the catalogue at the first request and again whenever the database says so. */
export class SchemaCache {
  /** What was read last; undefined before the first time. */
  current: Schema | undefined;
  #loading: Promise<Schema> | undefined;
  #listening: Promise<unknown> | undefined;
  #database: Database;
  #log: ServiceLog;
  #name: string;

  constructor({ database, log, schema }: { database: Database; log: ServiceLog; schema: string }) {
    this.#database = database;
    this.#log = log;
    this.#name = schema;
  }

  /** Reads the schema if nothing is known yet. Rejects with what the database said; the next call tries again. */
  async load(): Promise<Schema> {
    if (this.current !== undefined) return this.current;
    await this.#listen();
    return this.#read();
  }

  /** Listening must come before the first read, so that no change falls between the two. */
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

  #read(): Promise<Schema> {
    this.#loading ??= readSchema(this.#database, this.#name)
      .then((schema) => {
        this.current = schema;
        return schema;
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  /** A read that is under way may have begun before the change, so another one follows it. */
  #refresh(): void {
    const before = this.#loading?.catch(() => undefined) ?? Promise.resolve();
    before
      .then(() => this.#read())
      .catch((error: unknown) => {
        this.#log.error({ err: error }, 'The schema cache could not be read again; the old one stays.');
      });
  }
}
