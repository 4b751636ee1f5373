import { afterAll, vi } from 'vitest';

/** A clock that a test moves. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

/**
 * A server's clock. It follows the machine's clock, so that it agrees with PostgreSQL's timestamps at first. With
 * `stands` it only moves when the test advances it.
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
 * Stops time for a whole test file; call it at the top. `Date` stands still until the clock is advanced, for the file's
 * servers, their limits and their clients alike. Timers continue.
 */
export function holdTime(): TestClock {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  afterAll(() => void vi.useRealTimers());
  return {
    now: () => Date.now(),
    advance: (ms) => void vi.setSystemTime(Date.now() + ms),
  };
}
