import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from 'graphile-worker';
import type { Database } from '#server/postgres/database.ts';
import { lockKey } from '#server/postgres/notifications.ts';
import { lockOf } from './heartbeat.ts';

/** Another server has taken over the job, or will: nothing more is sent for it here. */
export class JobTakenOver extends Error {
  override name = 'JobTakenOver';
  constructor() {
    super('The job was taken over by another server while this one stood still.');
  }
}

/** An answer that is older says nothing: this process stood still, and the answer waited for it. In milliseconds. */
const FRESH_MS = 1_000;
/** How often the lock of a connection that was lost is waited for, and how long each time, in milliseconds. */
const LOOKS = 20;
const LOOK_MS = 250;

/**
 * Resolves where the job is still this process's own, which holds its worker's lock. A process that stood still for some
 * seconds (a frozen container, a paused machine) has lost its locks, and another one runs its jobs.
 *
 * @throws JobTakenOver
 */
export async function confirmOwnJob(
  database: Pick<Database, 'asOwner'>,
  { id, locked_by: workerId, locked_at: takenAt }: Pick<Job, 'id' | 'locked_by' | 'locked_at'>,
): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const asked = performance.now();
    const { rows } = await database.asOwner<{ is_held: boolean }>({
      name: 'confirm_own_job',
      text: `select not pg_try_advisory_xact_lock(${lockKey('$4')}) as is_held
        from graphile_worker.jobs where id = $1 and locked_by = $2 and date_trunc('milliseconds', locked_at) = $3`,
      values: [id, workerId, takenAt, lockOf(workerId ?? '')],
    });
    const [own] = rows;
    if (own === undefined) throw new JobTakenOver();
    if (performance.now() - asked > FRESH_MS) continue;
    if (own.is_held) return;
    await pause(LOOK_MS);
  }
  throw new JobTakenOver();
}
