import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MigrationError } from './migration-error.ts';
import { type Migration, readMigrations } from './read-migrations.ts';
import { checksumOf, type SqlFile, unlessMissing, withPlainLineEnds } from './sql-file.ts';

/** A file of `functions/`, which defines one function. */
export interface FunctionFile extends SqlFile {
  /** The function with its schema, such as `public.find_item`. */
  readonly defines: string;
  readonly checksum: string;
}

/** What `database/` consists of. Each part is in the order in which it is applied. */
export interface Schema {
  /** `schemas.sql`: roles, schemas, and default privileges. Null in a folder without it. */
  readonly schemas: SqlFile | null;
  readonly functions: readonly FunctionFile[];
  readonly tables: readonly SqlFile[];
  readonly migrations: readonly Migration[];
}

/**
 * Reads `schemas.sql`, `functions/{room}/{name}.sql`, `tables/*.sql`, and `migrations/*.sql` of a folder. Parts that are
 * missing are empty.
 *
 * @throws MigrationError for a malformed file, and for a function that is defined twice.
 */
export async function readSchema(directory: string): Promise<Schema> {
  const [schemas, functionFiles, tables, migrations] = await Promise.all([
    readSql(directory, 'schemas.sql').catch(unlessMissing(null)),
    readAll(join(directory, 'functions')),
    readAll(join(directory, 'tables')),
    readMigrations(join(directory, 'migrations')),
  ]);
  const functions = functionFiles.map(parseFunction);
  const names = functions.map(({ defines }) => defines);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new MigrationError(`Two files of ${directory}/functions define ${twice}.`);
  return { schemas, functions, tables, migrations };
}

/** @throws MigrationError unless the file defines the one function that it is named after. */
function parseFunction({ name, sql }: SqlFile): FunctionFile {
  const [defines, ...others] = [...sql.matchAll(/^create or replace function (\w+\.\w+)\s*\(/gm)].map(
    (match) => match[1] ?? '',
  );
  if (defines === undefined || others.length > 0 || defines.split('.')[1] !== basename(name, '.sql')) {
    throw new MigrationError(
      `The file ${name} must contain one "create or replace function" of the name that the file has, with its schema.`,
    );
  }
  return { name, sql, defines, checksum: checksumOf(sql) };
}

async function readAll(directory: string): Promise<SqlFile[]> {
  const names = await readdir(directory, { recursive: true }).catch(unlessMissing<string[]>([]));
  const files = names.filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(files.map((name) => readSql(directory, name)));
}

async function readSql(directory: string, name: string): Promise<SqlFile> {
  return { name, sql: withPlainLineEnds(await readFile(join(directory, name), 'utf8')) };
}
