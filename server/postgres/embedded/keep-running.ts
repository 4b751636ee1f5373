import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceLog } from '#server/log/log.ts';
import type { Postmaster } from './run-postmaster.ts';

export interface KeepRunningOptions {
  /** Starts PostgreSQL, also after a crash. Stops trying when the signal is aborted. */
  start(giveUp: AbortSignal): Promise<Postmaster>;
  readonly log: ServiceLog;
}

export interface Running {
  /** Shuts PostgreSQL down; resolves when it has ended. */
  stop(): Promise<void>;
}

const RESTART_DELAYS_MS = [100, 500, 2_000, 5_000, 10_000] as const;
/** After this uptime, the next restart begins with the shortest delay again. */
const WELL_AFTER_MS = 60_000;

/**
 * Starts PostgreSQL, and restarts it with growing delays whenever it ends by itself. Only the first start may throw.
 */
export async function keepRunning({ start, log }: KeepRunningOptions): Promise<Running> {
  const stopping = new AbortController();
  let current = await start(stopping.signal);

  const kept = (async () => {
    for (let restarts = 0; ; ) {
      const startedAt = performance.now();
      const how = await current.ended;
      if (stopping.signal.aborted) return;
      log.error({ how }, 'The embedded PostgreSQL ended unexpectedly; restarting it.');
      if (performance.now() - startedAt > WELL_AFTER_MS) restarts = 0;
      for (let running = false; !running; restarts += 1) {
        const delay = RESTART_DELAYS_MS[restarts] ?? RESTART_DELAYS_MS[RESTART_DELAYS_MS.length - 1];
        await pause(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        try {
          current = await start(stopping.signal);
          running = true;
          log.warn({}, 'The embedded PostgreSQL is running again.');
        } catch (error) {
          if (stopping.signal.aborted) return;
          log.error({ err: error }, 'The embedded PostgreSQL could not be restarted; retrying.');
        }
      }
    }
  })();

  return {
    async stop() {
      stopping.abort();
      await current.end();
      await kept;
      // A restart may have completed in between.
      await current.end();
    },
  };
}
