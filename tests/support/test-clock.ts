import { afterAll, vi } from 'vitest';

/** A clock that a test moves. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  /** Reports the time at once and after each advance, before `advance` returns, until the returned function is called. */
  readonly watch: (report: (time: ClockTime) => void) => () => void;
}

/**
 * What a clock shows: one moment until it is advanced, which may be that of `Date` too, or the machine's time and so
 * much more. In milliseconds.
 */
export type ClockTime = { readonly at: number; readonly isOfDate: boolean } | { readonly ahead: number };

function createWatch(read: () => ClockTime) {
  const watchers = new Set<(time: ClockTime) => void>();
  return {
    watch(report: (time: ClockTime) => void): () => void {
      watchers.add(report);
      report(read());
      return () => void watchers.delete(report);
    },
    changed(): void {
      for (const report of watchers) report(read());
    },
  };
}

/**
 * A server's clock. It follows the machine's clock, so that it agrees with PostgreSQL's timestamps at first. With
 * `stands` it only moves when the test advances it.
 */
export function createTestClock({ stands = false }: { readonly stands?: boolean } = {}): TestClock {
  const began = Date.now();
  let ahead = 0;
  const { watch, changed } = createWatch(() => (stands ? { at: began + ahead, isOfDate: false } : { ahead }));
  return {
    now: () => (stands ? began : Date.now()) + ahead,
    advance: (ms) => {
      ahead += ms;
      changed();
    },
    watch,
  };
}

/**
 * Stops time for a whole test file; call it at the top. `Date` stands still until the clock is advanced, for the file's
 * servers, their limits and their clients alike. Timers continue.
 */
export function holdTime(): TestClock {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  afterAll(() => void vi.useRealTimers());
  const { watch, changed } = createWatch(() => ({ at: Date.now(), isOfDate: true }));
  return {
    now: () => Date.now(),
    advance: (ms) => {
      vi.setSystemTime(Date.now() + ms);
      changed();
    },
    watch,
  };
}
