import type { Worker } from 'node:cluster';
import { countsOf, createMerge, type Metric, type ProcessMetrics } from '#server/metrics/merge-metrics.ts';
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

/** A process, with its metrics by name, as far as this one has heard. */
interface Heard {
  readonly worker: Worker;
  readonly metrics: Map<string, Metric>;
}

interface Reading {
  readonly metrics: ProcessMetrics;
  /** Whether the process has responded. Otherwise this is what it had counted last. */
  readonly isOwn: boolean;
}

export function gatherMetrics(): GatheredMetrics {
  const processes = new Set<Heard>();
  /** What those had counted that have ended. */
  let ended: ProcessMetrics = [];
  const merge = createMerge();
  let questions = 0;

  const ask = (process: Heard): Promise<Reading> => {
    const { worker } = process;
    questions += 1;
    const id = questions;
    return new Promise((resolve) => {
      const finish = (reading: Reading) => {
        clearTimeout(late);
        worker.off('message', hear);
        worker.process.off('close', giveUp);
        resolve(reading);
      };
      const giveUp = () => finish({ metrics: countsIn(process), isOwn: false });
      const hear = (message: FromWorker) => {
        if (message.kind !== 'metrics' || message.id !== id) return;
        finish({ metrics: [...process.metrics.values()], isOwn: true });
      };
      const late = setTimeout(giveUp, METRICS_WITHIN_MS);
      worker.on('message', hear);
      worker.process.once('close', giveUp);
      sendTo(worker, { kind: 'read metrics', id });
    });
  };

  return {
    add(worker) {
      const process: Heard = { worker, metrics: new Map() };
      processes.add(process);
      // Also what comes too late for the scrape that asked for it: it is sent once.
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'metrics') hearOf(process, message.changed);
        else if (message.kind === 'counts') hearOf(process, message.metrics);
      });
      // Not at its exit, when its last message may not have been read. One that is killed with an unconfirmed connection
      // has no event `disconnect` (`pass-connections.ts`).
      worker.process.once('close', () => {
        processes.delete(process);
        ended = merge([ended, countsIn(process)]);
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

function hearOf({ metrics }: Heard, changed: ProcessMetrics): void {
  for (const metric of changed) metrics.set(metric.name, metric);
}

function countsIn({ metrics }: Heard): ProcessMetrics {
  return countsOf([...metrics.values()]);
}
