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
