import { TokenBucket } from '#server/token-bucket.ts';
import { REALTIME_LIMITS } from './limits.ts';

interface Entry {
  sockets: number;
  readonly joins: TokenBucket;
  readonly broadcasts: TokenBucket;
}

/** What each address has open, and how much of the database it may still ask for. */
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

  /** Takes from what the address may join; says whether there was enough. Its sockets share it, and so do new ones. */
  takeJoins(address: string, count: number): boolean {
    return this.#entryOf(address).joins.take(this.#now(), count);
  }

  /** The same for broadcasts and changes of presence. */
  takeBroadcasts(address: string, count: number): boolean {
    return this.#entryOf(address).broadcasts.take(this.#now(), count);
  }

  /** Forgets the addresses that have nothing open and have waited long enough to begin anew. */
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
