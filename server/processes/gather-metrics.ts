import type { Worker } from 'node:cluster';
import { countsOf, mergeMetrics, NOTHING_MEASURED, type ProcessMetrics } from '#server/metrics/merge-metrics.ts';
import { type FromWorker, sendTo } from './messages.ts';

export interface GatheredMetrics {
  /** A process that serves from now on. */
  add(worker: Worker): void;
  /**
   * Returns the metrics of each process, one that is still stopping included, and what those that have ended had counted.
   * Of a process that does not respond, what it had counted last stands. So no count ever falls.
   */
  read(): Promise<Gathered>;
}

interface Gathered {
  readonly metrics: readonly ProcessMetrics[];
  /** How many processes have responded. */
  readonly responding: number;
}

/** How long a scrape waits for a process. */
const METRICS_WITHIN_MS = 2_000;

/** A process, with what it has counted as far as this one has heard. */
interface Heard {
  readonly worker: Worker;
  counts: ProcessMetrics;
}

interface Reading {
  readonly metrics: ProcessMetrics;
  /** Whether the process has responded. Otherwise this is what it had counted last. */
  readonly isOwn: boolean;
}

export function gatherMetrics(): GatheredMetrics {
  const processes = new Set<Heard>();
  /** What those had counted that have ended. */
  let ended = NOTHING_MEASURED;
  let questions = 0;

  const ask = (process: Heard): Promise<Reading> => {
    const { worker } = process;
    questions += 1;
    const id = questions;
    return new Promise((resolve) => {
      const finish = (reading: Reading) => {
        clearTimeout(late);
        worker.off('message', hear).off('disconnect', giveUp);
        resolve(reading);
      };
      const giveUp = () => finish({ metrics: process.counts, isOwn: false });
      const hear = (message: FromWorker) => {
        if (message.kind !== 'metrics' || message.id !== id) return;
        process.counts = countsOf(message.metrics);
        finish({ metrics: message.metrics, isOwn: true });
      };
      const late = setTimeout(giveUp, METRICS_WITHIN_MS);
      worker.on('message', hear).once('disconnect', giveUp);
      sendTo(worker, { kind: 'read metrics', id });
    });
  };

  return {
    add(worker) {
      const process: Heard = { worker, counts: NOTHING_MEASURED };
      processes.add(process);
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'counts') process.counts = message.metrics;
      });
      // Not at its exit, when its last message may not have been read.
      worker.once('disconnect', () => {
        processes.delete(process);
        ended = { text: mergeMetrics([ended, process.counts]), merges: {} };
      });
    },
    async read() {
      // One that ends meanwhile is not counted twice.
      const before = ended;
      const readings = await Promise.all([...processes].map(ask));
      return {
        metrics: [...readings.map(({ metrics }) => metrics), before],
        responding: readings.filter(({ isOwn }) => isOwn).length,
      };
    },
  };
}
