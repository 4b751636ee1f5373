import { getHeapStatistics } from 'node:v8';
import { availableMemory } from '#server/available-memory.ts';
import type { HeldBytesOptions } from './held-bytes.ts';

const MIB = 1024 * 1024;
/** Beyond it a server is better started twice: the figures that `docs/operate/limits.md` names are for this much. */
export const MOST_CALLER_MEMORY = 768 * MIB;
/** With less, one client would have too little. */
export const LEAST_CALLER_MEMORY = 64 * MIB;

/** What callers may hold together, of each kind. What is held in bytes may for a moment be held twice (`HeldBytes`). */
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
 * How many bytes callers may make a server hold: an eighth of the machine's memory, as PostgreSQL's own part is, and a
 * quarter of what the runtime's heap may grow to.
 *
 * @example
 * callerMemoryFor({ memory: 4 * 1024 ** 3, heap: 2 * 1024 ** 3 }) // 512 MiB
 */
export function callerMemoryFor({
  memory = availableMemory(),
  heap = getHeapStatistics().heap_size_limit,
}: {
  readonly memory?: number;
  readonly heap?: number;
} = {}): number {
  return Math.min(MOST_CALLER_MEMORY, Math.max(LEAST_CALLER_MEMORY, Math.min(memory / 8, heap / 4)));
}

/** The parts of so many bytes; a part of the most that there are is that part of each figure. */
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
