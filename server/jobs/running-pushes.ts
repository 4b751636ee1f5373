/** How many pushes one process sends at the same time. */
export const MOST_PUSHES = 6;
/** How many of them may be for one owner. */
const MOST_PER_OWNER = 3;

/** No push may be sent at present. */
export class TooManyPushes extends Error {
  override name = 'TooManyPushes';
}

/**
 * The pushes that this process sends at present. They go to addresses that clients chose, which may be slow on purpose,
 * so they use a part of the workers, and an owner a part of these. Others wait in the queue.
 */
export class RunningPushes {
  #running = 0;
  #byOwner = new Map<string, number>();

  /** Returns the flags of jobs that no worker may take now. */
  forbiddenFlags(): string[] {
    return this.#running < MOST_PUSHES ? [] : ['push'];
  }

  /** Runs a push of an owner. Throws TooManyPushes where it must wait. */
  async run<Result>(owner: string, send: () => Promise<Result>): Promise<Result> {
    const own = this.#byOwner.get(owner) ?? 0;
    if (this.#running >= MOST_PUSHES || own >= MOST_PER_OWNER) throw new TooManyPushes();
    this.#running += 1;
    this.#byOwner.set(owner, own + 1);
    try {
      return await send();
    } finally {
      this.#running -= 1;
      const left = (this.#byOwner.get(owner) ?? 1) - 1;
      if (left === 0) this.#byOwner.delete(owner);
      else this.#byOwner.set(owner, left);
    }
  }
}
