import type { Client } from 'pg';
import { MigrationError } from './migration-error.ts';

interface ApiRole {
  readonly name: string;
  readonly account: string;
  readonly mayBeTaken: boolean;
  readonly passesRowSecurity: boolean;
}

/**
 * Verifies that the account can act as the API roles and that `service_role` bypasses row-level security. The first
 * migration sets this up; but roles belong to the cluster, so a dump restored into another cluster lacks it.
 *
 * @throws MigrationError
 */
export async function checkRoles(client: Client): Promise<void> {
  const { rows } = await client.query<ApiRole>(`
    select rolname as name,
      current_user as account,
      -- Since PostgreSQL 16 a member may be kept from acting as the role.
      pg_has_role(rolname, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
        as "mayBeTaken",
      rolbypassrls as "passesRowSecurity"
    from pg_roles where rolname in ('anon', 'authenticated', 'service_role') order by rolname`);
  const lacking = rows.filter(({ mayBeTaken }) => !mayBeTaken);
  if (lacking[0] !== undefined) {
    const names = lacking.map(({ name }) => name).join(', ');
    throw new MigrationError(
      `The database account "${lacking[0].account}" may not act as ${names}, as after a restore into another PostgreSQL. Run once as a superuser: grant ${names} to "${lacking[0].account}"`,
    );
  }
  if (rows.some(({ name, passesRowSecurity }) => name === 'service_role' && !passesRowSecurity)) {
    throw new MigrationError(
      'The role service_role is bound by row-level security. Run once as a superuser: alter role service_role bypassrls',
    );
  }
}
