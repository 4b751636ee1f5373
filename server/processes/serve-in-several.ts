import type { Config } from '#server/config.ts';
import { noteRunning } from '#server/data-folder/running-file.ts';
import { createLog } from '#server/log/create-log.ts';
import { listenForScrapes } from '#server/metrics/listen-for-scrapes.ts';
import { startDatabase } from '#server/start/prepare-database.ts';
import { AFTER_DRAIN_MS, STOP_DRAIN, stopInOrder, stopWithin } from '#server/start/stop-in-order.ts';
import { type UndoStep, undoAll } from '#server/undo-all.ts';
import type { PassSignals } from './hold-signals.ts';
import { supervise } from './supervise.ts';

/**
 * Serves in several processes, which this one starts and replaces. It runs the embedded database for them, and answers
 * for their metrics. Resolves with where they serve, when all of them do.
 *
 * @param freePort - Called when the port is needed; what has listened on it leaves it.
 */
export async function serveInSeveral(config: Config, passSignals: PassSignals, freePort?: () => void): Promise<string> {
  const log = createLog({ level: config.logLevel });
  const undo: UndoStep[] = [];
  try {
    const { address, stop: stopDatabase } = await startDatabase({ config, log });
    undo.push(stopDatabase);
    // Before the first process starts.
    const expose = config.metrics === null ? undefined : (await import('./gather-metrics.ts')).gatherMetrics();
    const supervised = await supervise({
      processes: config.webProcesses,
      freePort,
      orders: { address: config.database.kind === 'embedded' ? address : null },
      log,
    });
    undo.push(() => supervised.stop());

    if (config.metrics !== null && expose !== undefined) {
      const scrapes = await listenForScrapes({ ...config.metrics, expose: () => expose(supervised.count()), log });
      undo.push(() => scrapes.close());
    }
    if (!config.production) undo.push(await noteRunning(config.dataDirectory, supervised.url));

    // The embedded database needs time of its own.
    const stop = stopInOrder(() => undoAll(undo), log, stopWithin(STOP_DRAIN) + AFTER_DRAIN_MS);
    passSignals({ SIGTERM: stop, SIGINT: stop, SIGHUP: () => void supervised.restart(), disconnect: stop });
    return supervised.url;
  } catch (error) {
    await undoAll(undo).catch((stopError: unknown) =>
      log.error({ err: stopError }, 'Cleaning up after a failed start failed.'),
    );
    throw error;
  }
}
