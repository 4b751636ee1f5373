/** How many pushes one process sends at the same time. */
export const MOST_PUSHES = 6;
/** How many of them may be for one owner. */
const MOST_PER_OWNER = 3;
/** How many of them may be for slow owners: those with a push that took long in the last minutes. */
const MOST_SLOW = 2;
const SLOW_MS = 1_000;
const REMEMBERED_MS = 600_000;
/** How many slow owners are remembered. The one whose push was slow the longest time ago is forgotten first. */
const MOST_REMEMBERED = 10_000;
/** The longest time a push waits for its turn, in seconds. */
const LONGEST_WAIT = 300;

/** No push of this owner may be sent at present. */
export class TooManyPushes extends Error {
  override name = 'TooManyPushes';
  /** In how many seconds to try again. Each push that is put off waits a second longer than the one before. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('Too many pushes are being sent.');
    this.seconds = seconds;
  }
}

/**
 * The pushes that this process sends at present. They go to addresses that clients chose, which may be slow on purpose,
 * so they use a part of the workers, and an owner a part of these. Slow owners share a part that leaves the others their
 * turn, however many slow ones there are. Who must wait does so in the queue.
 */
export class RunningPushes {
  #running = 0;
  #byOwner = new Map<string, Lane>();
  #slowLane: Lane = { running: 0, putOff: 0 };
  /** When each slow owner last had a slow push, the longest ago first. */
  #slowAt = new Map<string, number>();
  #clock: () => number;

  /** `clock` returns milliseconds, from any beginning. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Returns the flags of jobs that no worker may take now. */
  forbiddenFlags(): string[] {
    return this.#running < MOST_PUSHES ? [] : ['push'];
  }

  /** Runs a push of an owner. Throws TooManyPushes where it must wait. */
  async run<Result>(owner: string, send: () => Promise<Result>): Promise<Result> {
    const own = this.#byOwner.get(owner) ?? { running: 0, putOff: 0 };
    if (own.running >= MOST_PER_OWNER) throw putOff(own);
    const isSlow = (this.#slowAt.get(owner) ?? -REMEMBERED_MS) > this.#clock() - REMEMBERED_MS;
    if (isSlow && this.#slowLane.running >= MOST_SLOW) throw putOff(this.#slowLane);
    if (this.#running >= MOST_PUSHES) throw new TooManyPushes(1);
    const lanes = isSlow ? [own, this.#slowLane] : [own];
    this.#byOwner.set(owner, own);
    this.#running += 1;
    for (const lane of lanes) lane.running += 1;
    const begun = this.#clock();
    try {
      return await send();
    } finally {
      this.#running -= 1;
      for (const lane of lanes) leave(lane);
      if (own.running === 0) this.#byOwner.delete(owner);
      if (this.#clock() - begun >= SLOW_MS) this.#remember(owner);
    }
  }

  #remember(owner: string): void {
    // A Map iterates in insertion order.
    this.#slowAt.delete(owner);
    this.#slowAt.set(owner, this.#clock());
    const [oldest] = this.#slowAt.keys();
    if (this.#slowAt.size > MOST_REMEMBERED && oldest !== undefined) this.#slowAt.delete(oldest);
  }
}

/** Pushes that share a bound: how many run, and about how many wait. */
interface Lane {
  running: number;
  putOff: number;
}

function putOff(lane: Lane): TooManyPushes {
  lane.putOff = Math.min(lane.putOff + 1, LONGEST_WAIT);
  return new TooManyPushes(lane.putOff);
}

function leave(lane: Lane): void {
  lane.running -= 1;
  lane.putOff = lane.running === 0 ? 0 : Math.max(lane.putOff - 1, 0);
}
