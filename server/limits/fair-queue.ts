import { UsedTime } from './recent-entries.ts';
import { Turns } from './turns.ts';

export interface FairQueueOptions {
  /** How many pieces of work may wait in each lane, for all holders together. */
  readonly mostWaiting: number;
  /** How many pieces of work run at the same time; by default one. */
  readonly atOnce?: number;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** The queue has no room for another piece of this holder's work. */
export class QueueFull extends Error {
  constructor() {
    super('The queue is full.');
  }
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: QueueFull) => void;
}

/**
 * Runs the work of the holder first that has used the least time recently; equal holders take turns. A holder with one
 * piece thus waits neither for all pieces of a busy holder, nor for a crowd of holders that have had their turns.
 *
 * A full queue makes room by refusing the latest piece of the holder with the most; of equal holders, of the one that
 * has used the most time.
 *
 * Work may be in several lanes. Lanes take turns, and each has its own limit.
 *
 * @example
 * const queue = new FairQueue({ atOnce: 2, mostWaiting: 256 });
 * const hash = await queue.run(clientAddress, () => hashPassword(password));
 */
export class FairQueue {
  #mostWaiting: number;
  #free: number;
  #now: () => number;
  #used: UsedTime;
  /** In the order of their turns. */
  #lanes = new Map<string, Turns<Waiting>>();

  constructor({ mostWaiting, atOnce = 1, now = () => performance.now() }: FairQueueOptions) {
    this.#mostWaiting = mostWaiting;
    this.#free = atOnce;
    this.#now = now;
    this.#used = new UsedTime(now);
  }

  /** How many pieces of work wait, in all lanes. */
  get waiting(): number {
    let waiting = 0;
    for (const { count } of this.#lanes.values()) waiting += count;
    return waiting;
  }

  /** Resolves with the result of the work. Rejects with `QueueFull` where there is no room. */
  async run<Result>(holder: string, work: () => Promise<Result>, lane = ''): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(holder, lane);
    const began = this.#now();
    try {
      return await work();
    } finally {
      this.#used.add(holder, this.#now() - began);
      this.#lanes.get(lane)?.goBehind(holder);
      this.#beginNext();
    }
  }

  #wait(holder: string, name: string): Promise<void> {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = new Turns(this.#mostWaiting, (other) => this.#used.of(other));
      this.#lanes.set(name, lane);
    }
    const turns = lane;
    return new Promise((begin, refuse) => {
      turns.add(holder, { begin, refuse })?.refuse(new QueueFull());
    });
  }

  /** The slot passes directly to the next piece of work. */
  #beginNext(): void {
    for (const [name, lane] of this.#lanes) {
      const next = lane.next();
      if (next === undefined) continue;
      this.#lanes.delete(name);
      this.#lanes.set(name, lane);
      next.begin();
      return;
    }
    this.#free += 1;
  }
}
