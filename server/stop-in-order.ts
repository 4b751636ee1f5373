import type { ServiceLog } from './log/log.ts';

/** How long requests in progress and running jobs may take after a signal to stop, in milliseconds. */
export const DRAIN_MS = 10_000;
/** How long a process may take to stop in all, in milliseconds. */
export const STOP_WITHIN_MS = DRAIN_MS + 15_000;

/**
 * Returns the function that stops the process once, and exits with 0, or with 1 where that fails or takes too long.
 * Further calls have no effect: a terminal sends Ctrl-C to every process of the group, and the launcher forwards it too.
 */
export function stopInOrder(stop: () => Promise<void>, log: ServiceLog, withinMs = STOP_WITHIN_MS) {
  let stopping = false;
  return (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal: reason }, 'Stopping: finishing requests in progress.');
    const late = setTimeout(() => {
      log.error({}, 'Some requests did not finish in time.');
      process.exit(1);
    }, withinMs);
    late.unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed.');
        process.exit(1);
      },
    );
  };
}
