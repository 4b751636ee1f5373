interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/** A map that forgets what was put in longest ago as soon as its values are said to take more bytes than it may hold. */
export class ByteBoundedMap<Value> {
  #most: number;
  #kept = new Map<string, Kept<Value>>();
  #bytes = 0;

  /** 0 keeps nothing. */
  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** What all values take, by what was said of them. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key)?.value;
  }

  /** Puts a value in as the youngest, in the place of another one of its key. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    // It alone would put everything else out, and then itself.
    if (bytes > this.#most) return;
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    // A Map remembers the order of insertion.
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
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
