import cluster, { type Worker } from 'node:cluster';
import { countsOf, exposeMerged, mergeMetrics, type ProcessMetrics } from '#server/metrics/merge-metrics.ts';
import { type FromWorker, sendTo } from './messages.ts';

/** The processes as their supervisor counts them. */
export interface CountedProcesses {
  /** How many the settings ask for. */
  readonly wanted: number;
  readonly serving: number;
  /** How many have ended by themselves, at their start too. */
  readonly ends: number;
}

/** How long a scrape waits for a process. */
const METRICS_WITHIN_MS = 2_000;

/**
 * Follows all processes that are started from now on, and returns the function that responds to a scrape: with the
 * metrics of each process, one that is still stopping included, and what those that have ended had counted. Of a process
 * that does not respond, what it had counted last stands. So no count ever falls.
 */
export function gatherMetrics(): (counted: CountedProcesses) => Promise<string> {
  const heard = new Map<Worker, ProcessMetrics>();
  let ended: ProcessMetrics = [];
  let questions = 0;

  cluster.on('fork', (worker) => {
    heard.set(worker, []);
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'metrics' || message.kind === 'counts') heard.set(worker, message.metrics);
    });
    // Not at its exit, when its last message may not have been read.
    worker.process.once('close', () => {
      ended = mergeMetrics([ended, countsOf(heard.get(worker) ?? [])]);
      heard.delete(worker);
    });
  });

  /** Returns whether the process has responded. */
  const ask = (worker: Worker): Promise<boolean> => {
    questions += 1;
    const id = questions;
    return new Promise((resolve) => {
      const finish = (responded: boolean) => {
        clearTimeout(late);
        worker.off('message', hear);
        worker.process.off('close', giveUp);
        resolve(responded);
      };
      const giveUp = () => finish(false);
      const hear = (message: FromWorker) => {
        if (message.kind === 'metrics' && message.id === id) finish(true);
      };
      const late = setTimeout(giveUp, METRICS_WITHIN_MS);
      worker.on('message', hear);
      worker.process.once('close', giveUp);
      sendTo(worker, { kind: 'read metrics', id });
    });
  };

  return async (counted) => {
    const asked = await Promise.all([...heard.keys()].map(async (worker) => ((await ask(worker)) ? worker : null)));
    const responding = new Set(asked);
    responding.delete(null);
    // Without a pause, in which one could end and be counted twice.
    const metrics = Array.from(heard, ([worker, own]) => (responding.has(worker) ? own : countsOf(own)));
    const own = describeProcesses({ ...counted, responding: responding.size });
    return exposeMerged([own, ...metrics, ended]);
  };
}

/** Without these, an outage of all processes would look like a quiet night. */
function describeProcesses({ ends, ...states }: CountedProcesses & { readonly responding: number }): ProcessMetrics {
  return [
    {
      name: 'reunite_processes',
      help: 'Processes of the server, by whether they are wanted, serve, and responded to this scrape.',
      type: 'gauge',
      aggregator: 'sum',
      values: Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'reunite_process_ends_total',
      help: 'Processes that ended by themselves, or did not start.',
      type: 'counter',
      aggregator: 'sum',
      values: [{ labels: {}, value: ends }],
    },
  ];
}
