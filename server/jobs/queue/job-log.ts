import { Logger } from 'graphile-worker';
import type { ServiceLog } from '#server/log/log.ts';

/** Of a pool with fewer connections than jobs run at once. A running job holds no connection of that pool. */
const SMALL_POOL = 'WARNING: having maxPoolSize';

/**
 * Forwards the job queue's log to ours. Of its fields only the job's id and task are kept, because others may contain
 * payloads.
 */
export function jobLog(log: ServiceLog): Logger {
  return new Logger((scope) => (level, message) => {
    const fields = { job: scope.jobId, task: scope.taskIdentifier };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning' && !message.startsWith(SMALL_POOL)) log.warn(fields, message);
    else log.debug(fields, message);
  });
}
