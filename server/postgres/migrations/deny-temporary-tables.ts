import type { Client } from 'pg';
import type { ServiceLog } from '#server/log.ts';

/**
 * Takes the right to make temporary tables from PUBLIC, which a new database gives to every role: such a table takes
 * room on the disk, and its name comes before others in a search path. The right belongs to the database and stands in
 * no dump, so each start looks. Where another account owns the database, the log says what its owner must run.
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
  // The name is quoted by PostgreSQL itself.
  const revocation = `revoke temporary on database ${found.database} from public`;
  if (found.owned) await client.query(revocation);
  else log.warn({}, `Every role may make temporary tables. Run once as the owner of the database: ${revocation}`);
}
