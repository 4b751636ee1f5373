/** A statement that took longer is not quick, whatever held it up. */
const SLOW_MS = 100;
/** And is not taken for quick again for so long. */
const SLOW_FOR_MS = 60_000;

export interface QuickStatementsOptions {
  /** Milliseconds of a clock that never steps back. */
  readonly now?: () => number;
}

/**
 * Which prepared statements have answered quickly, so that others may wait behind them on one connection. One that
 * nobody has timed yet is not among them, and one that was slow once is not for a minute. It holds as many names as
 * there are.
 */
export class QuickStatements {
  #quick = new Set<string>();
  #slowUntil = new Map<string, number>();
  #now: () => number;

  constructor({ now = () => performance.now() }: QuickStatementsOptions = {}) {
    this.#now = now;
  }

  has(name: string): boolean {
    return this.#quick.has(name);
  }

  /** Runs the statement and learns from it. */
  async timed<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const startedAt = this.#now();
    let answered = false;
    try {
      const result = await run();
      answered = true;
      return result;
    } finally {
      this.#note(name, startedAt, answered);
    }
  }

  #note(name: string, startedAt: number, answered: boolean): void {
    const now = this.#now();
    if (now - startedAt > SLOW_MS) {
      this.#quick.delete(name);
      this.#slowUntil.set(name, now + SLOW_FOR_MS);
    } else if (answered && (this.#slowUntil.get(name) ?? 0) <= now) this.#quick.add(name);
  }
}
