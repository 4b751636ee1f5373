/** How long a statement that was slow is kept off the shared connections. */
const SLOW_FOR_MS = 60_000;

export interface QuickStatementsOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/**
 * Tracks which prepared statements respond quickly, so that others may wait behind them on one connection, and which do
 * not. An untried statement is neither. Its size is bounded by the number of statement names.
 */
export class QuickStatements {
  #quick = new Set<string>();
  #slowUntil = new Map<string, number>();
  #now: () => number;

  constructor({ now = () => performance.now() }: QuickStatementsOptions = {}) {
    this.#now = now;
  }

  isQuick(name: string): boolean {
    return this.#quick.has(name);
  }

  isSlow(name: string): boolean {
    const until = this.#slowUntil.get(name);
    return until !== undefined && this.#now() < until;
  }

  /** Records a response within the timeout of quick statements. A statement that was recently slow stays slow. */
  wasQuick(name: string): void {
    if (!this.isSlow(name)) this.#quick.add(name);
  }

  /** Records that the statement ran into the timeout of quick statements. */
  wasSlow(name: string): void {
    this.#quick.delete(name);
    this.#slowUntil.set(name, this.#now() + SLOW_FOR_MS);
  }
}
