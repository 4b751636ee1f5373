import { Logger } from 'graphile-worker';
import type { ServiceLog } from '#server/log.ts';

/** The job queue's log in ours. Of what it adds only the job's id and task are kept: the rest may hold payloads. */
export function jobLog(log: ServiceLog): Logger {
  return new Logger((scope) => (level, message) => {
    const fields = { job: scope.jobId, task: scope.taskIdentifier };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning') log.warn(fields, message);
    else log.debug(fields, message);
  });
}
