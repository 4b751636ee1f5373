import { RecentEntries } from './recent-entries.ts';

export interface FairQueueOptions {
  /** How many pieces of work run at the same time, for all holders together; by default one. */
  readonly atOnce?: number;
  /** How many of them are of one lane, at most; by default any number. */
  readonly perLane?: number;
  /** How many of them one holder has, at most; by default any number. */
  readonly perHolder?: number;
  /** How many pieces of work may wait in each lane, for all holders together; by default any number. */
  readonly mostWaiting?: number;
  /** How long work waits before it is refused, in milliseconds; by default as long as it takes. */
  readonly waitMs?: number;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** The queue has no room for another piece of this holder's work. */
export class QueueFull extends Error {
  constructor() {
    super('The queue is full.');
  }
}

/** A holder had its whole share in use when its waiting time was over. */
export class ShareUsedUp extends Error {
  constructor() {
    super('A holder had its whole share in use for too long.');
  }
}

/** The work of others had every place for the whole waiting time. */
export class NoTurn extends Error {
  constructor() {
    super('No place became free in time.');
  }
}

/** Null where the work is counted for nobody: it has no share, and goes first. */
type Holder = string | null;

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

interface Lane {
  /** How many of its pieces run. */
  running: number;
  /** In the order of the holders' turns; of each holder at least one piece, in order of arrival. */
  readonly waiting: Map<Holder, Set<Waiting>>;
}

/**
 * Bounds what is in flight, for all and for each holder. Of the work that waits, that of the holder is next that has used
 * the least time recently; equal holders take turns. A holder with one piece thus waits neither for all pieces of a busy
 * holder, nor for a crowd of holders that have had their turns.
 *
 * A full queue makes room by refusing the latest piece of the holder with the most; of equal holders, of the one that
 * has used the most time. So one holder may have every place until another one needs some.
 *
 * Work may be in several lanes. Lanes take turns, and each has its own room to wait, and may have a share.
 *
 * @example
 * const queue = new FairQueue({ atOnce: 2, mostWaiting: 256 });
 * const hash = await queue.run(clientAddress, () => hashPassword(password));
 */
export class FairQueue {
  #perLane: number;
  #perHolder: number;
  #mostWaiting: number;
  #waitMs: number | undefined;
  #free: number;
  #now: () => number;
  #used: UsedTime;
  #running = new Map<Holder, number>();
  /** In the order of their turns. */
  #lanes = new Map<string, Lane>();

  constructor({
    atOnce = 1,
    perLane = Number.POSITIVE_INFINITY,
    perHolder = Number.POSITIVE_INFINITY,
    mostWaiting = Number.POSITIVE_INFINITY,
    waitMs,
    now = () => performance.now(),
  }: FairQueueOptions) {
    this.#perLane = perLane;
    this.#perHolder = perHolder;
    this.#mostWaiting = mostWaiting;
    this.#waitMs = waitMs;
    this.#free = atOnce;
    this.#now = now;
    this.#used = new UsedTime(now);
  }

  /** How many pieces of work run, in all lanes or in one. */
  running(lane?: string): number {
    return sum(this.#lanesNamed(lane).map(({ running }) => running));
  }

  /** How many pieces of work wait, in all lanes or in one. */
  waiting(lane?: string): number {
    return sum(this.#lanesNamed(lane).map(piecesIn));
  }

  /**
   * Resolves with the result of the work. Rejects with `QueueFull` where there is no room, and after the waiting time with
   * `ShareUsedUp` where the holder's own work was the cause, else with `NoTurn`.
   */
  async run<Result>(holder: Holder, work: () => Promise<Result>, name = ''): Promise<Result> {
    const lane = this.#laneNamed(name);
    if (this.#free > 0 && lane.running < this.#perLane && this.#hasShare(holder)) this.#take(lane, holder);
    else await this.#wait(lane, holder);
    const began = this.#now();
    try {
      return await work();
    } finally {
      if (holder !== null) this.#used.add(holder, this.#now() - began);
      this.#giveBack(lane, holder);
      goBehind(lane, holder);
      this.#beginNext();
    }
  }

  #laneNamed(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const lane = { running: 0, waiting: new Map() };
    this.#lanes.set(name, lane);
    return lane;
  }

  #lanesNamed(name: string | undefined): readonly Lane[] {
    return name === undefined ? [...this.#lanes.values()] : [this.#laneNamed(name)];
  }

  #hasShare(holder: Holder): boolean {
    return holder === null || (this.#running.get(holder) ?? 0) < this.#perHolder;
  }

  #usedBy(holder: Holder): number {
    return holder === null ? 0 : this.#used.of(holder);
  }

  #take(lane: Lane, holder: Holder): void {
    this.#free -= 1;
    lane.running += 1;
    this.#running.set(holder, (this.#running.get(holder) ?? 0) + 1);
  }

  #giveBack(lane: Lane, holder: Holder): void {
    this.#free += 1;
    lane.running -= 1;
    const left = (this.#running.get(holder) ?? 0) - 1;
    if (left === 0) this.#running.delete(holder);
    else this.#running.set(holder, left);
  }

  #wait(lane: Lane, holder: Holder): Promise<void> {
    return new Promise((begin, refuse) => {
      const piece: Waiting = {
        begin: () => {
          clearTimeout(late);
          begin();
        },
        refuse: (error) => {
          clearTimeout(late);
          refuse(error);
        },
      };
      const leave = () => {
        remove(lane, holder, piece);
        refuse(this.#hasShare(holder) ? new NoTurn() : new ShareUsedUp());
      };
      const late = this.#waitMs === undefined ? undefined : setTimeout(leave, this.#waitMs);
      this.#add(lane, holder, piece);
    });
  }

  #add(lane: Lane, holder: Holder, piece: Waiting): void {
    if (piecesIn(lane) >= this.#mostWaiting) {
      const [from, pieces] = this.#holderWithMoreThan(lane, holder);
      const latest = [...pieces].at(-1) ?? piece;
      remove(lane, from, latest);
      latest.refuse(new QueueFull());
      if (latest === piece) return;
    }
    const own = lane.waiting.get(holder);
    if (own === undefined) lane.waiting.set(holder, new Set([piece]));
    else own.add(piece);
  }

  /** A place that became free passes to the next piece of work. At most one can begin. */
  #beginNext(): void {
    for (const [name, lane] of this.#lanes) {
      if (lane.running >= this.#perLane) continue;
      const holder = this.#nextHolder(lane);
      if (holder === undefined) continue;
      const [next] = lane.waiting.get(holder) ?? [];
      if (next === undefined) continue;
      remove(lane, holder, next);
      goBehind(lane, holder);
      this.#lanes.delete(name);
      this.#lanes.set(name, lane);
      this.#take(lane, holder);
      next.begin();
      return;
    }
  }

  /** The holder with a share left that has used the least; of equal ones, whose turn was longest ago. */
  #nextHolder(lane: Lane): Holder | undefined {
    let found: Holder | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const holder of lane.waiting.keys()) {
      const used = this.#usedBy(holder);
      if (used < least && this.#hasShare(holder)) [found, least] = [holder, used];
    }
    return found;
  }

  /** The holder with the most that would still have more than the given one, or as many and has used more. */
  #holderWithMoreThan(lane: Lane, holder: Holder): readonly [Holder, ReadonlySet<Waiting>] {
    let found: readonly [Holder, ReadonlySet<Waiting>] = [holder, new Set()];
    let most = (lane.waiting.get(holder)?.size ?? 0) + 1;
    let used = this.#usedBy(holder);
    for (const entry of lane.waiting) {
      const [other, { size }] = entry;
      if (other === holder || size < most) continue;
      const usedByOther = this.#usedBy(other);
      if (size === most && usedByOther <= used) continue;
      [found, most, used] = [entry, size, usedByOther];
    }
    return found;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

function piecesIn({ waiting }: Lane): number {
  return sum([...waiting.values()].map(({ size }) => size));
}

function remove({ waiting }: Lane, holder: Holder, piece: Waiting): void {
  const own = waiting.get(holder);
  own?.delete(piece);
  if (own?.size === 0) waiting.delete(holder);
}

/** A holder that was served moves behind all others. */
function goBehind({ waiting }: Lane, holder: Holder): void {
  const rest = waiting.get(holder);
  if (rest === undefined) return;
  waiting.delete(holder);
  waiting.set(holder, rest);
}

/** In milliseconds: the time after which a holder's recorded use is halved. */
const HALF_LIFE_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** How long each holder's work has run recently, in milliseconds. Of more than 10,000 holders the most recent are kept. */
class UsedTime {
  #now: () => number;
  #entries = new RecentEntries(MOST_REMEMBERED, () => ({ ms: 0, at: 0 }));

  /** @param now - Milliseconds of any clock. */
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
