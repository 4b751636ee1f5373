interface StoredEntry<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/** A map that evicts its oldest entries once the stated sizes of its values exceed a limit. */
export class ByteBoundedMap<Value> {
  #most: number;
  #onRemoved: (value: Value) => void;
  #kept = new Map<string, StoredEntry<Value>>();
  #bytes = 0;

  /** A limit of 0 keeps nothing. `onRemoved` is called with each value that was evicted, replaced or deleted. */
  constructor(mostBytes: number, onRemoved: (value: Value) => void = () => {}) {
    this.#most = mostBytes;
    this.#onRemoved = onRemoved;
  }

  /** The stated size of all values, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key)?.value;
  }

  /** Inserts a value as the newest entry and replaces an earlier one of its key. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    // Such a value would evict all others, and then itself.
    if (bytes > this.#most) return;
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    // A Map iterates in insertion order.
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#most) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#bytes -= kept.bytes;
    this.#kept.delete(key);
    this.#onRemoved(kept.value);
  }

  /** All values, oldest first. */
  *values(): Generator<Value> {
    for (const { value } of this.#kept.values()) yield value;
  }
}
