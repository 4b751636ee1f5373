interface Holder {
  held: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

export interface FairSharesOptions {
  /** What one holder may have at once. */
  readonly most: number;
  /** Milliseconds for which one more waits before it is refused. */
  readonly waitMs: number;
}

/** Somebody has had all that one may have at once, for as long as a call waits. */
export class ShareUsedUp extends Error {
  constructor() {
    super('One holder has had its whole share for too long.');
  }
}

/**
 * Shares out a number of equal things: whoever has a full share waits for some of it to come back, in order, and others
 * pass. What belongs to nobody (null) is not counted.
 */
export class FairShares {
  #options: FairSharesOptions;
  #holders = new Map<string, Holder>();

  constructor(options: FairSharesOptions) {
    this.#options = options;
  }

  /** Takes one; a promise only where it has to be waited for, which rejects with `ShareUsedUp` after the waiting time. */
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

  /** Gives one back, to whoever of the same holder has waited longest. */
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
