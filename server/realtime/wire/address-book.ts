import { TokenBucket } from '#server/limits/token-bucket.ts';
import { REALTIME_LIMITS } from '../limits.ts';

interface Entry {
  sockets: number;
  readonly joins: TokenBucket;
  readonly broadcasts: TokenBucket;
}

/** The open sockets of each network address, and its remaining allowances for joins and broadcasts. */
export class AddressBook {
  #entries = new Map<string, Entry>();
  #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  socketsOf(address: string): number {
    return this.#entries.get(address)?.sockets ?? 0;
  }

  opened(address: string): void {
    this.#entryOf(address).sockets += 1;
  }

  closed(address: string): void {
    const entry = this.#entries.get(address);
    if (entry !== undefined) entry.sockets -= 1;
  }

  /** Takes from an address's allowance of joins, which all its sockets share. Returns false where it is exhausted. */
  takeJoins(address: string, count: number): boolean {
    return this.#entryOf(address).joins.take(this.#now(), count);
  }

  /** The same for broadcasts and presence changes. */
  takeBroadcasts(address: string, count: number): boolean {
    return this.#entryOf(address).broadcasts.take(this.#now(), count);
  }

  /** Removes addresses without sockets whose allowances are full again. */
  sweep(): void {
    const now = this.#now();
    for (const [address, { sockets, joins, broadcasts }] of this.#entries) {
      if (sockets <= 0 && joins.isFull(now) && broadcasts.isFull(now)) this.#entries.delete(address);
    }
  }

  #entryOf(address: string): Entry {
    const known = this.#entries.get(address);
    if (known !== undefined) return known;
    const { joinsPerSecond, joinBurst, broadcastsPerSecond, broadcastBurst } = REALTIME_LIMITS;
    const now = this.#now();
    const entry: Entry = {
      sockets: 0,
      joins: new TokenBucket(joinsPerSecond, joinBurst, now),
      broadcasts: new TokenBucket(broadcastsPerSecond, broadcastBurst, now),
    };
    this.#entries.set(address, entry);
    return entry;
  }
}
