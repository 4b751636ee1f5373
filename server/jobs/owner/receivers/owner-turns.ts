/** How many requests for one owner a process makes at the same time. */
const MOST_PER_OWNER = 3;
/** The longest time a request waits for its turn, in seconds. */
const LONGEST_WAIT = 300;

/** No request for this owner, or to this receiver, may be made at present. */
export class NotNow extends Error {
  override name = 'NotNow';
  /** In how many seconds to try again. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('Too many requests are being made.');
    this.seconds = seconds;
  }
}

/** The requests to receivers that this process makes at present, of which an owner has a few at a time. */
export class OwnerTurns {
  #byOwner = new Map<string, Turns>();

  /**
   * Makes a request for an owner.
   *
   * @throws NotNow where it must wait. Those that wait come back one after another.
   */
  async run<Result>(owner: string, send: () => Promise<Result>): Promise<Result> {
    const own = this.#byOwner.get(owner) ?? { running: 0, putOff: 0 };
    if (own.running >= MOST_PER_OWNER) {
      own.putOff = Math.min(own.putOff + 1, LONGEST_WAIT);
      throw new NotNow(own.putOff);
    }
    this.#byOwner.set(owner, own);
    own.running += 1;
    try {
      return await send();
    } finally {
      own.running -= 1;
      own.putOff = Math.max(own.putOff - 1, 0);
      if (own.running === 0) this.#byOwner.delete(owner);
    }
  }
}

/** How many requests run, and about how many wait. */
interface Turns {
  running: number;
  putOff: number;
}
