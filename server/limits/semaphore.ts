/**
 * Runs a limited number of tasks at once; further ones wait in order.
 *
 * @example
 * const resizing = new Semaphore(2);
 * const picture = await resizing.run(() => resize(upload)); // at most two at once
 */
export class Semaphore {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The slot passes directly to the next task, so that no later call can take it.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
