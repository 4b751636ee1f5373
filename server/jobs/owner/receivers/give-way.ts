import type { ReceiverKind, ReceiverNeeds, ReceiverRow } from './receiver.ts';

/** For at least so long a request keeps its worker although others wait, in milliseconds. */
const QUICK_MS = 1_000;

/**
 * Makes a request to a receiver, which may be slow on purpose. Its signal ends once the request has lasted a second and jobs
 * for other owners wait for its worker: however many receivers are slow, the next job has its turn within a second.
 */
export async function giveWay<Result>(
  { database, forKnown }: Pick<ReceiverNeeds, 'database' | 'forKnown'>,
  { task, table, idName }: Pick<ReceiverKind<ReceiverRow>, 'task' | 'table' | 'idName'>,
  { user_id: owner }: Pick<ReceiverRow, 'user_id'>,
  send: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const endIfOthersWait = async () => {
    const { rows } = await database.asOwner({
      name: `others_wait_for_${task}`,
      text: `select from graphile_worker._private_jobs as job
        join ${table} as receiver on receiver.id = (job.payload ->> '${idName}')::uuid and receiver.user_id <> $2
        where job.is_available and job.run_at < now() - interval '0.5 seconds' and (not $1 or (job.flags ? 'unproved') is not true)
          and job.task_id = (select id from graphile_worker._private_tasks where identifier = '${task}')
        limit 1`,
      values: [forKnown, owner],
    });
    if (rows.length > 0) end.abort();
  };
  const timer = setInterval(() => void endIfOthersWait().catch(() => undefined), QUICK_MS);
  try {
    return await send(end.signal);
  } finally {
    clearInterval(timer);
  }
}
