import { REALTIME_LIMITS } from '../limits.ts';

interface Delivery<Member> {
  readonly members: readonly Member[];
  readonly deliver: (member: Member) => void;
  readonly done: (() => void) | undefined;
  /** How many members it has been delivered to. */
  delivered: number;
}

export interface FanOutOptions {
  /** Milliseconds of each event loop turn that may be spent on delivery. */
  readonly budgetMs?: number;
  /** How many deliveries may wait. */
  readonly mostWaiting?: number;
  /** Milliseconds, from any origin. */
  readonly now?: () => number;
}

/**
 * Delivers messages to many members in order, in slices of each event loop turn. Other requests are served between two
 * slices, however many sockets a broadcast goes to.
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

  /** Whether to refuse new messages from clients until waiting deliveries are done. */
  get isFull(): boolean {
    return this.#waiting >= this.#mostWaiting;
  }

  /**
   * Queues a delivery to the current members. Returns false, and delivers to none of them, where too many deliveries
   * wait. `deliver` must not throw. `done` is called after the last member.
   */
  add(members: Iterable<Member>, deliver: (member: Member) => void, done?: () => void): boolean {
    const delivered = [...members];
    if (this.#waiting + delivered.length > this.#mostWaiting * 2) return false;
    this.#deliveries.push({ members: delivered, deliver, done, delivered: 0 });
    this.#waiting += delivered.length;
    if (this.#spentMs < this.#budgetMs) this.#deliverSome();
    return true;
  }

  #deliverSome(): void {
    const began = this.#now();
    let first = this.#deliveries[0];
    while (first !== undefined && this.#spentMs + this.#now() - began < this.#budgetMs) {
      const member = first.members[first.delivered];
      if (member === undefined) {
        this.#deliveries.shift();
        first.done?.();
        first = this.#deliveries[0];
        continue;
      }
      first.delivered += 1;
      this.#waiting -= 1;
      first.deliver(member);
    }
    this.#spentMs += this.#now() - began;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#spentMs = 0;
      if (this.#deliveries.length > 0) this.#deliverSome();
    });
  }
}
