import { getHeapStatistics } from 'node:v8';
import { availableMemory } from '#server/memory/available-memory.ts';
import type { HeldBytesOptions } from './held-bytes.ts';

const MIB = 1024 * 1024;
/** The most that is used; with more memory, run two servers. The figures in `docs/operate/limits.md` are for this value. */
export const MOST_CALLER_MEMORY = 768 * MIB;
/** With less, a single client would not have enough. */
export const LEAST_CALLER_MEMORY = 64 * MIB;

/** The bounds for all callers together. Bounds in bytes may briefly be exceeded twofold (`HeldBytes`). */
export interface CallerMemory {
  /** Bodies that arrive. */
  readonly bodies: HeldBytesOptions;
  /** Unfinished WebSocket messages, and those that wait for the database. */
  readonly incoming: HeldBytesOptions;
  /** What clients of sockets have not read yet. */
  readonly buffered: HeldBytesOptions;
  readonly channels: HeldBytesOptions;
  /** Open connections. */
  readonly connections: number;
  /** Open sockets. */
  readonly sockets: number;
}

/**
 * How many bytes a server may hold for its callers: an eighth of the machine's memory, as for PostgreSQL's buffers, and
 * at most a quarter of the runtime's heap limit. Several processes on the machine divide its memory.
 *
 * @example
 * callerMemoryFor({ memory: 4 * 1024 ** 3, heap: 2 * 1024 ** 3 }) // 512 MiB
 */
export function callerMemoryFor({
  memory = availableMemory(),
  heap = getHeapStatistics().heap_size_limit,
  processes = 1,
}: {
  readonly memory?: number;
  readonly heap?: number;
  readonly processes?: number;
} = {}): number {
  return Math.min(MOST_CALLER_MEMORY, Math.max(LEAST_CALLER_MEMORY, Math.min(memory / processes / 8, heap / 4)));
}

/** Divides `bytes` among the bounds: each is in proportion to its figure for `MOST_CALLER_MEMORY`. */
export function shareCallerMemory(bytes: number): CallerMemory {
  const share = Math.min(1, bytes / MOST_CALLER_MEMORY);
  const part = (inAll: number, perAddress: number, least: number): HeldBytesOptions => ({
    inAll: Math.floor(inAll * share),
    perAddress: Math.min(perAddress, Math.max(least, Math.floor((inAll * share) / 4))),
  });
  return {
    bodies: part(256 * MIB, 32 * MIB, 2 * MIB),
    // The largest frame counts as 4 MiB while it is served.
    incoming: part(128 * MIB, 16 * MIB, 5 * MIB),
    buffered: part(128 * MIB, 16 * MIB, 2 * MIB),
    channels: part(256 * MIB, 16 * MIB, 2 * MIB),
    connections: Math.floor(25_000 * share),
    sockets: Math.floor(20_000 * share),
  };
}
