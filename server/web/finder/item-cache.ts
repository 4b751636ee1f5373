import type { FoundItem } from '#domain/item/found-item.ts';
import { DEFAULT_OWNER_NAME } from '#domain/item/found-item.ts';
import { ByteBoundedMap } from '#server/memory/byte-bounded-map.ts';
import type { Database } from '#server/postgres/database.ts';
import { findItem } from './find-item.ts';

/** A found item and its finished documents. Immutable: a changed item gets a new entry. */
export interface FoundEntry {
  readonly code: string;
  readonly item: FoundItem;
  /** Finished documents by shape and encoding, added by `keepDocument`. */
  readonly documents: ReadonlyMap<string, FinishedDocument>;
}

export interface FinishedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Which desks it names (`DesksNow.version`). */
  readonly desks?: string;
}

interface Known {
  readonly entry: FoundEntry & { readonly documents: Map<string, FinishedDocument> };
  readonly json: string;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/**
 * A NOTIFY announces a change, and the entry is dropped at once. If that connection is lost, a page is at most this
 * old: a contact method that was switched off must be off everywhere within 5 s (docs/adversarial-cases.md, D34).
 */
const BELIEVED_MS = 4_000;

/**
 * While the database does not respond, an old page is better than none. It shows which contact methods exist; using one
 * queries the database again.
 */
const SHOWN_WITHOUT_DATABASE_MS = 10 * 60_000;

/** Memory of a known item beside its strings, in bytes, as measured: the parsed object, its keys and map entries. */
const ITEM_BYTES = 500;
/** Memory of a document beside its bytes, as measured: its objects and the allocator's rounding. */
const DOCUMENT_BYTES = 2_500;

const HIT = { result: 'hit' } as const;
const MISS = { result: 'miss' } as const;

interface Reading {
  readonly response: Promise<FoundEntry | null>;
  readonly freshness: Freshness;
}

interface Freshness {
  stale: boolean;
}

export interface FoundItemsOptions {
  readonly database: Pick<Database, 'readAsVisitor'>;
  /** Called for a code whose owner has no name to show: the owner's profile may be missing. */
  readonly repairOwner: (code: string) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The memory limit for all items and their documents, in bytes. */
  readonly mostBytes: number;
  /** Called for each look-up. */
  readonly countLookup?: (outcome: typeof HIT | typeof MISS) => void;
}

/** Caches items that finders look at until they change. The oldest are evicted first. */
export class FoundItems {
  #known: ByteBoundedMap<Known>;
  #reading = new Map<string, Reading>();
  #database: FoundItemsOptions['database'];
  #repairOwner: FoundItemsOptions['repairOwner'];
  #now: () => number;
  #countLookup: FoundItemsOptions['countLookup'];
  #heardSince = Number.NEGATIVE_INFINITY;

  constructor({ database, repairOwner, now, mostBytes, countLookup }: FoundItemsOptions) {
    this.#countLookup = countLookup;
    this.#known = new ByteBoundedMap(mostBytes);
    this.#database = database;
    this.#repairOwner = repairOwner;
    this.#now = now;
  }

  /** The counted memory of all entries, in bytes. */
  get bytes(): number {
    return this.#known.bytes;
  }

  /** Returns the item of a code, or null. Synchronous where the item is cached. */
  find(code: string): FoundEntry | Promise<FoundEntry | null> {
    const known = this.#known.get(code);
    if (known !== undefined && this.#isBelieved(known)) {
      this.#countLookup?.(HIT);
      return known.entry;
    }
    this.#countLookup?.(MISS);
    const underWay = this.#reading.get(code);
    if (underWay !== undefined) return underWay.response;
    const freshness: Freshness = { stale: false };
    const response = this.#read(code, freshness);
    this.#reading.set(code, { response, freshness });
    return response;
  }

  /**
   * Returns the cached item of a code while the database does not respond, or null where it is too old or not cached.
   */
  lastKnown(code: string): FoundEntry | null {
    const known = this.#known.get(code);
    return known !== undefined && this.#now() - known.readAt < SHOWN_WITHOUT_DATABASE_MS ? known.entry : null;
  }

  /** Caches a document of an item as long as the item itself. */
  keepDocument(entry: FoundEntry, key: string, document: FinishedDocument): void {
    const known = this.#known.get(entry.code);
    if (known?.entry !== entry) return;
    known.entry.documents.set(key, document);
    this.#keep(known);
  }

  /** A negative age, after the clock was set back, does not extend the life of an entry. */
  #isBelieved({ readAt }: Known): boolean {
    const age = this.#now() - readAt;
    return age >= 0 && age < BELIEVED_MS && readAt > this.#heardSince;
  }

  /** Drops the entry of a code, and marks a read in progress as possibly stale. */
  drop(code: string): void {
    this.#known.delete(code);
    const underWay = this.#reading.get(code);
    if (underWay === undefined) return;
    // It may have been read before the change: current waiters receive it, but it is not cached.
    underWay.freshness.stale = true;
    this.#reading.delete(code);
  }

  /** Invalidates all entries, because notifications may have been missed. They stay available to `lastKnown`. */
  dropAll(): void {
    this.#heardSince = this.#now();
    for (const { freshness } of this.#reading.values()) freshness.stale = true;
    this.#reading.clear();
  }

  async #read(code: string, freshness: Freshness): Promise<FoundEntry | null> {
    try {
      const json = await findItem(this.#database, code);
      if (json === null) {
        if (!freshness.stale) this.#known.delete(code);
        return null;
      }
      const known = this.#known.get(code);
      const entry: Known['entry'] =
        known?.json === json
          ? known.entry
          : // find_item makes this shape; a policy test holds it to exactly these fields.
            { code, item: JSON.parse(json) as FoundItem, documents: new Map() };
      if (entry.item.owner_first_name === DEFAULT_OWNER_NAME) await this.#repairOwner(code);
      if (!freshness.stale) this.#keep({ entry, json, readAt: this.#now() });
      return entry;
    } finally {
      if (!freshness.stale) this.#reading.delete(code);
    }
  }

  #keep(known: Known): void {
    const { code, documents } = known.entry;
    // A character takes up to two bytes, and the item repeats the strings of its JSON.
    let bytes = ITEM_BYTES + 4 * known.json.length;
    for (const { bytes: document } of documents.values()) bytes += DOCUMENT_BYTES + document.byteLength;
    this.#known.set(code, known, bytes);
  }
}
