export interface HeldBytesOptions {
  /** What all callers behind one network address may hold together, in bytes. */
  readonly perAddress: number;
  /** What all addresses may hold together, in bytes. */
  readonly inAll: number;
}

/**
 * Counts the memory that callers make the server hold, by network address.
 *
 * An address may hold up to `perAddress`. Once all of them together hold `inAll`, an address may hold only an equal share
 * of it: a crowd of addresses that holds as much as it can leaves room for one that holds little. Together they never
 * hold more than twice `inAll`.
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

  /** What all addresses hold, in bytes. */
  get total(): number {
    return this.#total;
  }

  /** Counts `bytes` more for an address where they fit; false where they do not, and then nothing is counted. */
  take(address: string, bytes: number): boolean {
    const held = (this.#byAddress.get(address) ?? 0) + bytes;
    if (bytes > 0 && !this.#fits(address, held, this.#total + bytes)) return false;
    if (held > 0) this.#byAddress.set(address, held);
    else this.#byAddress.delete(address);
    this.#total += bytes;
    return true;
  }

  /** Counts `bytes` less. Whoever took them gives them back once. */
  giveBack(address: string, bytes: number): void {
    this.take(address, -bytes);
  }

  #fits(address: string, held: number, total: number): boolean {
    if (held > this.#perAddress) return false;
    if (total <= this.#inAll) return true;
    const addresses = this.#byAddress.size + (this.#byAddress.has(address) ? 0 : 1);
    return held <= this.#inAll / addresses && total <= this.#inAll * 2;
  }
}

/** What one holder, such as a connection, has counted of the bytes of its address. */
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

  /** Counts what the holder holds now; false where that does not fit, and then the count stays as it was. */
  set(bytes: number): boolean {
    if (bytes === this.#bytes) return true;
    if (!this.#held.take(this.#address, bytes - this.#bytes)) return false;
    this.#bytes = bytes;
    return true;
  }
}
