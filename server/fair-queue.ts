export interface FairQueueOptions {
  /** How much work may wait, of all holders together. */
  readonly mostWaiting: number;
}

/** There is no room in the queue for one more of this holder's. */
export class QueueFull extends Error {
  constructor() {
    super('The queue has no room for one more.');
  }
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: QueueFull) => void;
}

/**
 * Runs one piece of work at a time, and takes turns between holders: a holder with one piece waits for at most one piece
 * of each other holder, however many those have brought. A full queue makes room by refusing the latest piece of the
 * holder with the most.
 */
export class FairQueue {
  #mostWaiting: number;
  #isBusy = false;
  #count = 0;
  /** In the order of their turns. */
  #waiting = new Map<string, Waiting[]>();

  constructor({ mostWaiting }: FairQueueOptions) {
    this.#mostWaiting = mostWaiting;
  }

  /** Resolves with what the work resolves with; rejects with `QueueFull` where there was no room. */
  async run<Result>(holder: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) await this.#wait(holder);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#beginNext(holder);
    }
  }

  #wait(holder: string): Promise<void> {
    const own = this.#waiting.get(holder) ?? [];
    if (this.#count >= this.#mostWaiting) this.#makeRoom(own.length);
    return new Promise((begin, refuse) => {
      own.push({ begin, refuse });
      this.#waiting.set(holder, own);
      this.#count += 1;
    });
  }

  /** @throws QueueFull where no holder has more than `own` and one. */
  #makeRoom(own: number): void {
    let longest: Waiting[] = [];
    for (const waiting of this.#waiting.values()) if (waiting.length > longest.length) longest = waiting;
    if (longest.length <= own + 1) throw new QueueFull();
    longest.pop()?.refuse(new QueueFull());
    this.#count -= 1;
  }

  /** Whoever has just had a turn goes behind everyone who waits. */
  #beginNext(last: string): void {
    const rest = this.#waiting.get(last);
    if (rest !== undefined) {
      this.#waiting.delete(last);
      this.#waiting.set(last, rest);
    }
    const [turn] = this.#waiting;
    if (turn === undefined) {
      this.#isBusy = false;
      return;
    }
    const [holder, waiting] = turn;
    const next = waiting.shift();
    if (waiting.length === 0) this.#waiting.delete(holder);
    this.#count -= 1;
    next?.begin();
  }
}
