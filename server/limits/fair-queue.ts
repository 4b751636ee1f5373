import { RecentEntries } from './recent-entries.ts';
import { Turns } from './turns.ts';

export interface FairQueueOptions {
  /** How many pieces of work may wait in each lane, for all holders together. */
  readonly mostWaiting: number;
  /** How many pieces of work run at the same time; by default one. */
  readonly atOnce?: number;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** In milliseconds: the time after which a holder's recorded use is halved. */
const HALF_LIFE_MS = 60_000;
const MOST_REMEMBERED = 10_000;

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

/** How long each holder's work has run recently, in milliseconds. */
class UsedTime {
  #now: () => number;
  #entries = new RecentEntries(MOST_REMEMBERED, () => ({ ms: 0, at: 0 }));

  constructor(now: () => number) {
    this.#now = now;
  }

  of(holder: string): number {
    const entry = this.#entries.peek(holder);
    return entry === undefined ? 0 : entry.ms * 0.5 ** ((this.#now() - entry.at) / HALF_LIFE_MS);
  }

  add(holder: string, ms: number): void {
    const recent = this.of(holder);
    const entry = this.#entries.use(holder);
    entry.ms = recent + ms;
    entry.at = this.#now();
  }
}
