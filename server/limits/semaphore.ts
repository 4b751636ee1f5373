/** Lets so many pieces of work run at once; the others wait their turn. */
export class Gate {
  #free: number;
  #mostWaiting: number;
  #waiting: (() => void)[] = [];

  constructor(atOnce: number, mostWaiting = Number.POSITIVE_INFINITY) {
    this.#free = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Whether so many wait already that one more had better come again later; `run` would let it wait all the same. */
  get isFull(): boolean {
    return this.#free === 0 && this.#waiting.length >= this.#mostWaiting;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes from hand to hand.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
