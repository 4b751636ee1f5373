import type { Client } from 'pg';
import { MigrationError } from './migration-error.ts';

const OLDEST_POSTGRESQL = 15;

interface Server {
  /** Such as 180004 for 18.4. */
  readonly version: number;
  readonly account: string;
  readonly passesRowSecurity: boolean;
  readonly encoding: string;
}

/**
 * Verifies that migrations can run on this server.
 *
 * @throws MigrationError where the server is older than PostgreSQL 15, does not use UTF-8, or the account
 * is subject to row-level security: that is forced on every table, so the account could not read its own rows.
 */
export async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<Server>(`
    select current_setting('server_version_num')::int as version,
      rolname as account,
      rolsuper or rolbypassrls as "passesRowSecurity",
      current_setting('server_encoding') as encoding
    from pg_roles where rolname = current_user`);
  const server = rows[0];
  if (server === undefined) throw new MigrationError('PostgreSQL has no role for the account that connected.');
  checkResponses(server);
}

/** @throws MigrationError */
export function checkResponses({ version, account, passesRowSecurity, encoding }: Server): void {
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_POSTGRESQL) {
    throw new MigrationError(
      `This is PostgreSQL ${major}, and ${OLDEST_POSTGRESQL} or newer is needed. Update the server, or name another one in DATABASE_URL.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new MigrationError(
      `This database stores text as ${encoding}, and UTF8 is needed. Create one with: create database … encoding 'UTF8' template template0`,
    );
  }
  if (!passesRowSecurity) {
    throw new MigrationError(
      `The database account "${account}" is bound by row-level security. Run once as a superuser: alter role "${account}" bypassrls createrole`,
    );
  }
}
