import { RecentEntries } from './recent-entries.ts';

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
  #lanes = new Map<string, Lane>();

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
    else await this.#laneOf(lane).wait(holder);
    const began = this.#now();
    try {
      return await work();
    } finally {
      this.#used.add(holder, this.#now() - began);
      this.#lanes.get(lane)?.goBehind(holder);
      this.#beginNext();
    }
  }

  #laneOf(name: string): Lane {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = new Lane(this.#mostWaiting, this.#used);
      this.#lanes.set(name, lane);
    }
    return lane;
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

class Lane {
  #mostWaiting: number;
  #used: UsedTime;
  #count = 0;
  /** In the order of their turns. */
  #waiting = new Map<string, Waiting[]>();

  constructor(mostWaiting: number, used: UsedTime) {
    this.#mostWaiting = mostWaiting;
    this.#used = used;
  }

  get count(): number {
    return this.#count;
  }

  wait(holder: string): Promise<void> {
    if (this.#count >= this.#mostWaiting) this.#makeRoom(holder);
    const own = this.#waiting.get(holder) ?? [];
    return new Promise((begin, refuse) => {
      own.push({ begin, refuse });
      this.#waiting.set(holder, own);
      this.#count += 1;
    });
  }

  /** Removes and returns the piece whose turn it is. Its holder moves behind all waiting holders. */
  next(): Waiting | undefined {
    let [holder] = this.#waiting.keys();
    if (holder === undefined) return undefined;
    let least = this.#used.of(holder);
    for (const other of this.#waiting.keys()) {
      const used = this.#used.of(other);
      if (used < least) [holder, least] = [other, used];
    }
    const next = this.#remove(holder, 'first');
    this.goBehind(holder);
    return next;
  }

  /** A holder that was served moves behind all waiting holders. */
  goBehind(holder: string): void {
    const rest = this.#waiting.get(holder);
    if (rest === undefined) return;
    this.#waiting.delete(holder);
    this.#waiting.set(holder, rest);
  }

  /**
   * Refuses a piece of another holder that has more waiting, or as many and more time used; otherwise throws
   * `QueueFull`.
   */
  #makeRoom(holder: string): void {
    const own = this.#waiting.get(holder)?.length ?? 0;
    let most: string | undefined;
    let length = own + 1;
    let used = this.#used.of(holder);
    for (const [other, waiting] of this.#waiting) {
      if (other === holder || waiting.length < length) continue;
      const usedByOther = this.#used.of(other);
      if (waiting.length === length && usedByOther <= used) continue;
      most = other;
      length = waiting.length;
      used = usedByOther;
    }
    if (most === undefined) throw new QueueFull();
    this.#remove(most, 'last')?.refuse(new QueueFull());
  }

  #remove(holder: string, which: 'first' | 'last'): Waiting | undefined {
    const waiting = this.#waiting.get(holder) ?? [];
    const removed = which === 'first' ? waiting.shift() : waiting.pop();
    if (waiting.length === 0) this.#waiting.delete(holder);
    this.#count -= 1;
    return removed;
  }
}
