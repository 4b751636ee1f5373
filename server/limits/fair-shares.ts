interface Holder {
  held: number;
  /** In order of arrival. */
  readonly waiting: Set<() => void>;
}

export interface FairSharesOptions {
  /** The most that one holder may have at once. */
  readonly most: number;
  /** How long a request waits for its holder's share before it is refused, in milliseconds. */
  readonly waitMs: number;
}

/** A holder had its whole share in use for the full waiting time. */
export class ShareUsedUp extends Error {
  constructor() {
    super('A holder used its whole share for the full waiting time.');
  }
}

/**
 * Divides a resource among holders. A holder with a full share waits for its own units to come back, in order, while
 * other holders proceed. A null holder is not limited.
 */
export class FairShares {
  #options: FairSharesOptions;
  #holders = new Map<string, Holder>();

  constructor(options: FairSharesOptions) {
    this.#options = options;
  }

  /**
   * Takes a unit. Returns a promise only where the holder must wait; it rejects with `ShareUsedUp` after the waiting
   * time.
   */
  take(holder: string | null): Promise<void> | undefined {
    if (holder === null) return undefined;
    let mine = this.#holders.get(holder);
    if (mine === undefined) {
      mine = { held: 0, waiting: new Set() };
      this.#holders.set(holder, mine);
    }
    if (mine.held < this.#options.most) {
      mine.held += 1;
      return undefined;
    }
    return this.#wait(mine);
  }

  /** Returns a unit, and passes it to the longest waiting request of the same holder. */
  giveBack(holder: string | null): void {
    const mine = holder === null ? undefined : this.#holders.get(holder);
    if (holder === null || mine === undefined) return;
    const [next] = mine.waiting;
    if (next !== undefined) {
      mine.waiting.delete(next);
      next();
      return;
    }
    mine.held -= 1;
    if (mine.held === 0) this.#holders.delete(holder);
  }

  #wait({ waiting }: Holder): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => {
        waiting.delete(begin);
        reject(new ShareUsedUp());
      }, this.#options.waitMs);
      waiting.add(begin);
    });
  }
}
