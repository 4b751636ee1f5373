export interface HeldBytesOptions {
  /** The most bytes that clients of one network address may hold together. */
  readonly perAddress: number;
  /** The most bytes that all addresses may hold together. */
  readonly inAll: number;
}

/**
 * Counts memory that clients make the server hold, by network address.
 *
 * An address may hold up to `perAddress`. Once all addresses together hold `inAll`, each may hold only an equal share
 * of `inAll`, so that many addresses with much memory leave room for one with little. The total never exceeds twice
 * `inAll`.
 *
 * @example
 * const held = new HeldBytes({ perAddress: 1_048_576, inAll: 67_108_864 });
 * if (!held.take(address, frame.length)) return socket.close(1013);
 * held.giveBack(address, frame.length);
 */
export class HeldBytes {
  #perAddress: number;
  #inAll: number;
  #byAddress = new Map<string, number>();
  #total = 0;

  constructor({ perAddress, inAll }: HeldBytesOptions) {
    this.#perAddress = perAddress;
    this.#inAll = inAll;
  }

  /** The bytes held by all addresses. */
  get total(): number {
    return this.#total;
  }

  /** Adds `bytes` to an address. Returns false and adds nothing where they do not fit. */
  take(address: string, bytes: number): boolean {
    const held = (this.#byAddress.get(address) ?? 0) + bytes;
    if (bytes > 0 && !this.#fits(address, held, this.#total + bytes)) return false;
    if (held > 0) this.#byAddress.set(address, held);
    else this.#byAddress.delete(address);
    this.#total += bytes;
    return true;
  }

  /** Whether the address's own limit leaves no room for `bytes` more, regardless of the total. */
  isFullFor(address: string, bytes: number): boolean {
    const held = (this.#byAddress.get(address) ?? 0) + bytes;
    const total = this.#total + bytes;
    return held > this.#perAddress || (total > this.#inAll && held > this.#equalShare(address));
  }

  /** Removes `bytes` from an address. Call it once per successful `take`. */
  giveBack(address: string, bytes: number): void {
    this.take(address, -bytes);
  }

  #fits(address: string, held: number, total: number): boolean {
    if (held > this.#perAddress) return false;
    if (total <= this.#inAll) return true;
    return held <= this.#equalShare(address) && total <= this.#inAll * 2;
  }

  #equalShare(address: string): number {
    return this.#inAll / (this.#byAddress.size + (this.#byAddress.has(address) ? 0 : 1));
  }
}

/** The part of an address's bytes that one holder has counted, such as a connection. */
export class HeldShare {
  #held: HeldBytes;
  #address: string;
  #bytes = 0;

  constructor(held: HeldBytes, address: string) {
    this.#held = held;
    this.#address = address;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Sets the bytes of this holder. Returns false and changes nothing where they do not fit. */
  set(bytes: number): boolean {
    if (bytes === this.#bytes) return true;
    if (!this.#held.take(this.#address, bytes - this.#bytes)) return false;
    this.#bytes = bytes;
    return true;
  }
}
