import type { Database } from '#server/postgres/database.ts';

/** How many codes one statement handles, so that each stays well within the statement timeout. */
const BATCH = 5_000;

/** The name of the job in the queue. */
export const GIVE_TYPED_CODES = 'give_typed_codes';

/**
 * Enqueues the job that gives typed codes to the tag codes from before typed codes existed, where any are left. Several
 * servers that start at once enqueue one job.
 */
export async function enqueueTypedCodes(database: Pick<Database, 'asOwner'>): Promise<void> {
  await database.asOwner({
    text: `select graphile_worker.add_job($1, job_key => $1, job_key_mode => 'unsafe_dedupe')
             where exists (select from internal.typed_code_progress)`,
    values: [GIVE_TYPED_CODES],
  });
}

/**
 * Gives typed codes to all tag codes that have none, in batches, each of which is committed with its progress. After an
 * interruption it continues where it was. New tag codes receive theirs from a trigger.
 */
export async function giveTypedCodes({ database }: { readonly database: Pick<Database, 'asService'> }): Promise<void> {
  for (let handled = BATCH; handled === BATCH; ) {
    const { rows } = await database.asService<{ readonly handled: number }>({
      name: 'give_typed_codes',
      // The lock on the progress keeps a second job from the same batch; the lock on a tag code keeps it from being
      // deleted before its typed code refers to it.
      text: `with progress as (
               select after from internal.typed_code_progress for update
             ), batch as (
               select qr_id from public.qr_codes
                 where qr_id > (select after from progress)
                 order by qr_id
                 limit $1
                 for key share
             ), given as (
               insert into internal.typed_codes (typed_code, qr_id)
                 select internal.typed_code_of(qr_id), qr_id from batch
                 on conflict do nothing
             ), advanced as (
               update internal.typed_code_progress set after = (select max(qr_id) from batch)
                 where (select count(*) from batch) = $1
             ), ended as (
               delete from internal.typed_code_progress where (select count(*) from batch) < $1
             )
             select count(*)::integer as handled from batch`,
      values: [BATCH],
    });
    handled = rows[0]?.handled ?? 0;
  }
}
