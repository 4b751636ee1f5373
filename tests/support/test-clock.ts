import { afterAll, vi } from 'vitest';

/** A clock that a test moves. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

/**
 * A server's clock. It runs as the machine's does, so that what PostgreSQL stamps agrees with it at first; one that
 * stands moves only where the test moves it.
 */
export function createTestClock({ stands = false }: { readonly stands?: boolean } = {}): TestClock {
  const began = Date.now();
  let ahead = 0;
  return {
    now: () => (stands ? began : Date.now()) + ahead,
    advance: (ms) => {
      ahead += ms;
    },
  };
}

/**
 * Holds the time of a whole test file, at the top of it: `Date` itself stands still until the clock is moved, and with
 * it the servers in the file, their limits and their clients alike. Timers run on.
 */
export function holdTime(): TestClock {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  afterAll(() => void vi.useRealTimers());
  return {
    now: () => Date.now(),
    advance: (ms) => void vi.setSystemTime(Date.now() + ms),
  };
}
