/**
 * Keeps one value for each key, for a bounded number of keys. A new key beyond the bound drops the least recently used
 * one.
 *
 * @example
 * const buckets = new RecentEntries(10_000, () => new TokenBucket(20, 400, Date.now()));
 * if (!buckets.use(address).take(Date.now())) return refuse();
 */
export class RecentEntries<Value> {
  #most: number;
  #create: () => Value;
  /** Least recently used first: a Map iterates in insertion order. */
  #entries = new Map<string, Value>();

  constructor(most: number, create: () => Value) {
    this.#most = most;
    this.#create = create;
  }

  /** Returns the value of a key, or undefined. Does not count as a use. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Returns the value of a key, creates it if necessary, and makes it the most recently used one. */
  use(key: string): Value {
    const value = this.#entries.get(key) ?? this.#create();
    this.#entries.delete(key);
    const [oldest] = this.#entries.size >= this.#most ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, value);
    return value;
  }
}

/** In milliseconds: the time after which a holder's recorded use is halved. */
const HALF_LIFE_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** How long each holder's work has run recently, in milliseconds. Of more than 10,000 holders the most recent are kept. */
export class UsedTime {
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
