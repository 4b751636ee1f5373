/** A clock that a test moves. It runs as the machine's does, so that what PostgreSQL stamps agrees with it at first. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
}

export function createTestClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance: (ms) => {
      ahead += ms;
    },
  };
}
