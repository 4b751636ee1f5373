interface Holder {
  held: number;
  /** In order of arrival. */
  readonly waiting: Set<() => void>;
}

export interface FairSharesOptions {
  /** The most that one holder may have at once. */
  readonly most: number;
  /** How long work waits for its holder's share before it is refused, in milliseconds; by default as long as it takes. */
  readonly waitMs?: number;
  /** The error of such a refusal. Defaults to `ShareUsedUp`. */
  readonly refusal?: () => Error;
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
 *
 * @example
 * const shares = new FairShares({ most: 2, waitMs: 5_000 });
 * const rows = await shares.run(accountId, () => readRows()); // at most two at once for each account
 */
export class FairShares {
  #most: number;
  #waitMs: number | undefined;
  #refusal: () => Error;
  #holders = new Map<string, Holder>();

  constructor({ most, waitMs, refusal = () => new ShareUsedUp() }: FairSharesOptions) {
    this.#most = most;
    this.#waitMs = waitMs;
    this.#refusal = refusal;
  }

  /** Runs the work with a unit of the holder. Rejects with the refusal after the waiting time. */
  async run<Result>(holder: string | null, work: () => Promise<Result>): Promise<Result> {
    if (holder === null) return work();
    const mine = this.#take(holder);
    if (mine !== undefined) await mine;
    try {
      return await work();
    } finally {
      this.#giveBack(holder);
    }
  }

  /** How many units the holder has, and how much of its work waits for one. */
  usage(holder: string): { readonly held: number; readonly waiting: number } {
    const mine = this.#holders.get(holder);
    return { held: mine?.held ?? 0, waiting: mine?.waiting.size ?? 0 };
  }

  /** Takes a unit. Returns a promise only where the holder must wait. */
  #take(holder: string): Promise<void> | undefined {
    let mine = this.#holders.get(holder);
    if (mine === undefined) {
      mine = { held: 0, waiting: new Set() };
      this.#holders.set(holder, mine);
    }
    if (mine.held >= this.#most) return this.#wait(mine);
    mine.held += 1;
    return undefined;
  }

  /** Returns a unit, and passes it to the work of the same holder that has waited longest. */
  #giveBack(holder: string): void {
    const mine = this.#holders.get(holder);
    if (mine === undefined) return;
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
      const refuse = () => {
        waiting.delete(begin);
        reject(this.#refusal());
      };
      const late = this.#waitMs === undefined ? undefined : setTimeout(refuse, this.#waitMs);
      waiting.add(begin);
    });
  }
}
