/** A statement that was slow is not tried among the quick ones again for so long. */
const SLOW_FOR_MS = 60_000;

export interface QuickStatementsOptions {
  /** Milliseconds of a clock that never steps back. */
  readonly now?: () => number;
}

/**
 * Which prepared statements answer quickly, so that others may wait behind them on one connection, and which do not. One
 * that nobody has tried yet is neither. It holds as many names as there are.
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

  /** It has answered within the time limit of quick statements; one that was slow a moment ago stays slow. */
  wasQuick(name: string): void {
    if (!this.isSlow(name)) this.#quick.add(name);
  }

  /** It ran into the time limit of quick statements. */
  wasSlow(name: string): void {
    this.#quick.delete(name);
    this.#slowUntil.set(name, this.#now() + SLOW_FOR_MS);
  }
}
