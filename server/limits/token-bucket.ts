/** Lets so many things through each second on average, and a burst of them at once. */
export class TokenBucket {
  #perMs: number;
  #burst: number;
  #left: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#left = burst;
    this.#at = now;
  }

  /** `now` in milliseconds; says whether there were so many left, and takes them if so. */
  take(now: number, count = 1): boolean {
    this.#refill(now);
    if (this.#left < count) return false;
    this.#left -= count;
    return true;
  }

  isFull(now: number): boolean {
    this.#refill(now);
    return this.#left >= this.#burst;
  }

  #refill(now: number): void {
    // A clock that was set back gives nothing.
    this.#left = Math.min(this.#burst, this.#left + Math.max(0, now - this.#at) * this.#perMs);
    this.#at = now;
  }
}
