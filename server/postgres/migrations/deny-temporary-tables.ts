import type { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';

/**
 * Revokes the right to create temporary tables from PUBLIC, which every new database grants. Such tables take disk
 * space, and their names come first in a search path.
 *
 * The right belongs to the database and is not part of a dump, so each start checks it. Where another account owns the
 * database, the log says what the owner must run.
 */
export async function denyTemporaryTables(client: Client, log: ServiceLog): Promise<void> {
  const { rows } = await client.query<{ database: string; owned: boolean }>(
    `select quote_ident(datname) as database, pg_has_role(datdba, 'usage') as owned
       from pg_database
       where datname = current_database() and exists (
         select from aclexplode(coalesce(datacl, acldefault('d', datdba)))
           where grantee = 0 and privilege_type = 'TEMPORARY'
       )`,
  );
  const [found] = rows;
  if (found === undefined) return;
  // PostgreSQL has quoted the name.
  const revocation = `revoke temporary on database ${found.database} from public`;
  if (found.owned) await client.query(revocation);
  else log.warn({}, `Every role may make temporary tables. Run once as the owner of the database: ${revocation}`);
}
