import type { Client } from 'pg';
import { KINDS_OF_ENDINGS } from './kinds-of-endings.ts';

/** A row of `internal.endings`. */
export interface Ending {
  /** To the microsecond, in UTC: `2026-11-28T05:24:07.123456Z`. */
  readonly at: string;
  readonly what: string;
  readonly id: string;
  readonly takenBack: boolean;
}

/** What has come back of one kind. */
export interface CameBack {
  readonly what: string;
  /** For the operator. */
  readonly name: string;
  readonly ids: readonly string[];
  /** Whether it cannot be ended by a command. */
  readonly isNamedOnly: boolean;
}

/** Returns what ended from then on, oldest first. */
export async function readEndings(client: Client, since: Date): Promise<Ending[]> {
  const { rows } = await client.query<Ending>(
    `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, what, id, taken_back as "takenBack"
      from internal.endings where at >= $1 order by internal.endings.at, what, id`,
    [since],
  );
  return rows;
}

/**
 * Finds what of these endings is not over in a restored database, and ends it again where `isEnding`. An ending that the
 * database knows of, or that something newer replaced, is left alone: the backup already has it, or it was ended since.
 *
 * All of it is one transaction. It sends no emails and no notices.
 */
export async function endAgain(
  client: Client,
  endings: readonly Ending[],
  { isEnding }: { readonly isEnding: boolean },
): Promise<CameBack[]> {
  await client.query('begin');
  try {
    await client.query(
      "set local role service_role; set local reunite.by_operator = 'on'; set local statement_timeout = 0",
    );
    const { rows } = await client.query<{ what: string; id: string; takenBack: boolean }>(
      `select latest.what, latest.id, latest."takenBack"
        from (
          select distinct on (what, id) * from jsonb_to_recordset($1)
            as given (at timestamptz, what text, id text, "takenBack" boolean) order by what, id, at desc
        ) as latest
        where not exists (select from internal.endings as known
          where (known.what, known.id) = (latest.what, latest.id) and known.at >= latest.at)`,
      [JSON.stringify(endings)],
    );
    const found: CameBack[] = [];
    for (const { what, name, statement, isNamedOnly = false } of KINDS_OF_ENDINGS) {
      const ids: string[] = [];
      for (const row of rows) {
        if (row.what !== what || row.takenBack) continue;
        if (((await client.query(statement, [row.id])).rowCount ?? 0) > 0) ids.push(row.id);
      }
      if (ids.length > 0) found.push({ what, name, ids, isNamedOnly });
    }
    if (isEnding) await settle(client, endings);
    await client.query(isEnding ? 'commit' : 'rollback');
    return found;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Notes these endings as known, and drops what the statements would have told people. Files are removed all the same. */
async function settle(client: Client, endings: readonly Ending[]): Promise<void> {
  await client.query(
    `insert into internal.endings (what, id, at, taken_back)
      select distinct on (what, id) what, id, at, "takenBack" from jsonb_to_recordset($1)
        as given (at timestamptz, what text, id text, "takenBack" boolean) order by what, id, at desc
      on conflict (what, id) do update set at = excluded.at, taken_back = excluded.taken_back
        where internal.endings.at < excluded.at`,
    [JSON.stringify(endings)],
  );
  await client.query('reset role');
  await client.query(
    `delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
      where task.id = job.task_id and task.identifier <> 'remove_files' and job.xmin = pg_current_xact_id()::xid`,
  );
}
