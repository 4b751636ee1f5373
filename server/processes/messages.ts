import type { Worker } from 'node:cluster';
import type { Drain } from '#server/http/open-requests.ts';
import type { ProcessMetrics } from '#server/metrics/merge-metrics.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';

/** From the supervisor to a process. */
export type ToWorker =
  | {
      readonly kind: 'start';
      /** From 1; the first one works on the job queue. */
      readonly index: number;
      /** The embedded database; null where the settings name another. */
      readonly address: PostgresAddress | null;
    }
  /** The process may take connections. */
  | { readonly kind: 'listen' }
  | { readonly kind: 'stop'; readonly drain: Drain }
  | { readonly kind: 'read metrics'; readonly id: number };

/** From a process to its supervisor. */
export type FromWorker =
  /** Comes as long as the process lives and does not hang. */
  | { readonly kind: 'alive' }
  /** It waits for `listen`. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: ProcessMetrics }
  /** What it had counted when it had stopped; the last message. */
  | { readonly kind: 'counts'; readonly metrics: ProcessMetrics };

/** How often a process says that it is alive, in milliseconds. */
export const ALIVE_EVERY_MS = 5_000;

export function sendTo(worker: Worker, message: ToWorker): void {
  // It may have ended in between.
  if (worker.isConnected()) worker.send(message, () => undefined);
}
