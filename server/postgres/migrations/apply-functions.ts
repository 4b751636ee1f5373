import type { Client } from 'pg';
import { MigrationError } from './migration-error.ts';
import type { FunctionFile } from './read-schema.ts';
import type { SqlFile } from './sql-file.ts';

/** The functions of a release of the program. */
export interface ReleasedFunctions {
  readonly release: string;
  readonly files: readonly FunctionFile[];
}

/** Where functions can be. A function with another owner than the migrating account needs its right to create there. */
const SCHEMAS = 'public, auth, storage, realtime, internal';

/** Every function of ours with this name, whatever its arguments are. */
const CALLED = `
  select pg_proc.oid::regprocedure::text as signature, prorettype in ('trigger'::regtype, 'event_trigger'::regtype) as "isTrigger"
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname || '.' || proname = $1`;

/** A file with this line defines a function that the service may not execute. */
const OWNERS_ALONE = '\n-- Only for the account that migrates.\n';

/**
 * Runs each file whose text is another one than the database was last given, and records it. The service may execute
 * it afterwards, and visitors and owners what the file grants, and nothing else.
 */
export async function applyFunctions(
  client: Client,
  { release, files }: ReleasedFunctions,
  run: (file: SqlFile) => Promise<void>,
): Promise<void> {
  const checksums = await readChecksums(client);
  const changed = files.filter(({ defines, checksum }) => checksums.get(defines) !== checksum);
  if (changed.length === 0) return;
  await client.query(`grant create on schema ${SCHEMAS} to service_role`);
  for (const file of changed) {
    for (const { signature } of await called(client, file.defines)) {
      await client.query(`revoke execute on function ${signature} from public, anon, authenticated`);
    }
    await run(file);
    for (const { signature, isTrigger } of await called(client, file.defines)) {
      if (runsAsService(file)) await client.query(`alter function ${signature} owner to service_role`);
      if (!isTrigger && !file.sql.includes(OWNERS_ALONE)) {
        await client.query(`grant execute on function ${signature} to service_role`);
      }
    }
    await client.query(
      `insert into internal.functions (name, checksum, release) values ($1, $2, $3)
         on conflict (name) do update set checksum = excluded.checksum, release = excluded.release`,
      [file.defines, file.checksum, release],
    );
  }
  await client.query(`revoke create on schema ${SCHEMAS} from service_role`);
}

/**
 * Whether a function runs with the rights of the service and not of its caller. The job queue belongs to the account that
 * migrates, so a function that reaches into it runs with that account's rights.
 */
function runsAsService({ sql }: FunctionFile): boolean {
  return /^[^-]*\bsecurity definer\b/im.test(sql) && !sql.includes('graphile_worker.');
}

/**
 * Drops the functions that were applied and have no file any more.
 *
 * @throws MigrationError for a file whose function exists with other arguments, too.
 */
export async function dropFormerFunctions(client: Client, { files }: ReleasedFunctions): Promise<void> {
  const present = new Set(files.map(({ defines }) => defines));
  for (const name of (await readChecksums(client)).keys()) {
    if (present.has(name)) continue;
    for (const { signature } of await called(client, name)) {
      await client.query(`drop function ${signature}`);
    }
    await client.query('delete from internal.functions where name = $1', [name]);
  }
  const { rows } = await client.query<{ name: string; signatures: string }>(
    `select nspname || '.' || proname as name, string_agg(pg_proc.oid::regprocedure::text, ' and ') as signatures
       from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
       where nspname || '.' || proname = any ($1) group by 1 having count(*) > 1`,
    [[...present]],
  );
  if (rows[0] !== undefined) {
    throw new MigrationError(
      `The database would have ${rows[0].signatures}. The file of ${rows[0].name} must begin with a "drop function if ` +
        'exists" that names the arguments it had before.',
    );
  }
}

/** Returns the latest release whose functions the database was given, or `0` where it has none. */
export async function readLatestRelease(client: Client): Promise<string> {
  const { rows } = await client.query<{ release: string }>('select distinct release from internal.functions');
  return rows
    .map(({ release }) => release)
    .reduce((latest, release) => (isLater(release, latest) ? release : latest), '0');
}

/** Whether a release such as `1.10.0` comes after another, such as `1.9.2`. */
export function isLater(release: string, other: string): boolean {
  return release.localeCompare(other, 'en', { numeric: true }) > 0;
}

async function called(client: Client, name: string): Promise<{ signature: string; isTrigger: boolean }[]> {
  return (await client.query<{ signature: string; isTrigger: boolean }>(CALLED, [name])).rows;
}

async function readChecksums(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from internal.functions',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}
