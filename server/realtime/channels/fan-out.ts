import { REALTIME_LIMITS } from './limits.ts';

interface Delivery<Member> {
  readonly members: readonly Member[];
  readonly tell: (member: Member) => void;
  /** How many of them have been told. */
  told: number;
}

export interface FanOutOptions {
  /** Milliseconds of each turn of the event loop that may be spent on telling. */
  readonly budgetMs?: number;
  /** How many members may wait to be told something. */
  readonly mostWaiting?: number;
  /** Milliseconds, from any beginning. */
  readonly now?: () => number;
}

/**
 * Tells many members one thing after another, in the order in which the things came, for a part of each turn of the event
 * loop: pages and calls are served between two parts, however many sockets a broadcast goes to.
 */
export class FanOut<Member> {
  #budgetMs: number;
  #mostWaiting: number;
  #now: () => number;
  #deliveries: Delivery<Member>[] = [];
  #waiting = 0;
  #spentMs = 0;
  #isScheduled = false;

  constructor({
    budgetMs = REALTIME_LIMITS.fanOutMs,
    mostWaiting = REALTIME_LIMITS.waitingDeliveries,
    now = () => performance.now(),
  }: FanOutOptions = {}) {
    this.#budgetMs = budgetMs;
    this.#mostWaiting = mostWaiting;
    this.#now = now;
  }

  /** Whether no more should be taken from clients until what waits has been told. */
  get isFull(): boolean {
    return this.#waiting >= this.#mostWaiting;
  }

  /** Tells those who are members now; false where too many wait to be told something, and then none of them is told. */
  add(members: Iterable<Member>, tell: (member: Member) => void): boolean {
    const told = [...members];
    if (this.#waiting + told.length > this.#mostWaiting * 2) return false;
    this.#deliveries.push({ members: told, tell, told: 0 });
    this.#waiting += told.length;
    if (this.#spentMs < this.#budgetMs) this.#tellSome();
    return true;
  }

  #tellSome(): void {
    const began = this.#now();
    let first = this.#deliveries[0];
    while (first !== undefined && this.#spentMs + this.#now() - began < this.#budgetMs) {
      const member = first.members[first.told];
      if (member === undefined) {
        this.#deliveries.shift();
        first = this.#deliveries[0];
        continue;
      }
      first.told += 1;
      this.#waiting -= 1;
      first.tell(member);
    }
    this.#spentMs += this.#now() - began;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#spentMs = 0;
      if (this.#deliveries.length > 0) this.#tellSome();
    });
  }
}
