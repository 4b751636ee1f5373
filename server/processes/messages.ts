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
  | { readonly kind: 'stop'; readonly drain: Drain }
  /** Comes with the connection. */
  | { readonly kind: 'connection' }
  | { readonly kind: 'read metrics'; readonly id: number };

/** From a process to its supervisor. */
export type FromWorker =
  /** Comes every few seconds while it starts. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  /** Whether the process serves the connection. It has read nothing from it yet. */
  | { readonly kind: 'connection'; readonly taken: boolean }
  /** Those that have changed since it sent them last. */
  | { readonly kind: 'metrics'; readonly id: number; readonly changed: ProcessMetrics }
  /** What it had counted when it had stopped; the last message. */
  | { readonly kind: 'counts'; readonly metrics: ProcessMetrics };

/** How often a process says that it is starting, in milliseconds. */
export const STARTING_EVERY_MS = 5_000;

export function sendTo(worker: Worker, message: ToWorker): void {
  // It may have ended in between.
  if (worker.isConnected()) worker.send(message, () => undefined);
}
