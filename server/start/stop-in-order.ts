import type { Drain } from '#server/http/open-requests.ts';
import type { ServiceLog } from '#server/log/log.ts';

/**
 * For a server that stops. Perhaps nobody else serves meanwhile, so an upload does not hold it up for as long as it might
 * take: 12 MiB arrive in this time at 1 Mbit/s.
 */
export const STOP_DRAIN: Drain = { requestsMs: 10_000, uploadsMs: 120_000 };
/** For a process in whose place another one serves already: as long as any upload may take (`BOUNDS.requestMs`). */
export const REPLACED_DRAIN: Drain = { requestsMs: 10_000, uploadsMs: 600_000 };

/** How long the rest of a stop may take, in milliseconds: jobs, and the embedded database. */
export const AFTER_DRAIN_MS = 25_000;

/** How long a process may take to stop in all, in milliseconds. */
export function stopWithin({ uploadsMs }: Drain): number {
  return uploadsMs + AFTER_DRAIN_MS;
}

/**
 * Returns the function that stops the process once, and exits with 0, or with 1 where that fails or takes too long.
 * Further calls have no effect: a terminal sends Ctrl-C to every process of the group, and the launcher forwards it too.
 */
export function stopInOrder(stop: () => Promise<void>, log: ServiceLog, withinMs = stopWithin(STOP_DRAIN)) {
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
