import type { FoundItem } from '#domain/found-item.ts';
import { en } from '#domain/messages/en.ts';
import type { Database } from '#server/postgres/database.ts';
import { ByteBoundedMap } from './byte-bounded-map.ts';
import { findItem } from './find-item.ts';

/** An item that has been found, and what was made of it since. It is replaced, never changed, when the item changes. */
export interface FoundEntry {
  readonly code: string;
  readonly item: FoundItem;
  /** Finished documents by shape and encoding, put in by `keepDocument`. */
  readonly documents: ReadonlyMap<string, FinishedDocument>;
}

export interface FinishedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

interface Known {
  readonly entry: FoundEntry & { readonly documents: Map<string, FinishedDocument> };
  readonly json: string;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/**
 * A change is told by NOTIFY and dropped at once. Should that connection be lost, a page is at most this old: the
 * adversarial plan (case 34) wants a tag that was switched off to be off within 5 s everywhere.
 */
const BELIEVED_MS = 4_000;

/**
 * While the database does not respond nothing can change in it, and a page that was read so long ago is better than none.
 * It shows which ways lead to the owner; each of them asks the database again.
 */
const SHOWN_WITHOUT_DATABASE_MS = 10 * 60_000;

/** What a known item takes beside its strings, in bytes, as measured: the parsed item, its keys and places in maps. */
const ITEM_BYTES = 500;
/** What a kept document takes beside its bytes, as measured: its objects, and what the allocator rounds up. */
const DOCUMENT_BYTES = 2_500;

interface Reading {
  readonly answer: Promise<FoundEntry | null>;
  readonly freshness: Freshness;
}

interface Freshness {
  stale: boolean;
}

export interface FoundItemsOptions {
  readonly database: Pick<Database, 'readAsVisitor'>;
  /** Is told of a code whose owner has no name to show: the owner's profile may be missing. */
  readonly repairOwner: (code: string) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What all items and their documents may take. */
  readonly mostBytes: number;
}

/** Items that finders look at, kept as long as nothing about them has changed, the latest read first. */
export class FoundItems {
  #known: ByteBoundedMap<Known>;
  #reading = new Map<string, Reading>();
  #database: FoundItemsOptions['database'];
  #repairOwner: FoundItemsOptions['repairOwner'];
  #now: () => number;
  #heardSince = Number.NEGATIVE_INFINITY;

  constructor({ database, repairOwner, now, mostBytes }: FoundItemsOptions) {
    this.#known = new ByteBoundedMap(mostBytes);
    this.#database = database;
    this.#repairOwner = repairOwner;
    this.#now = now;
  }

  /** What everything kept takes, in bytes, as far as it is counted. */
  get bytes(): number {
    return this.#known.bytes;
  }

  /** The item of a code, or null. Without a wait where it is known. */
  find(code: string): FoundEntry | Promise<FoundEntry | null> {
    const known = this.#known.get(code);
    if (known !== undefined && this.#isBelieved(known)) return known.entry;
    const underWay = this.#reading.get(code);
    if (underWay !== undefined) return underWay.answer;
    const freshness: Freshness = { stale: false };
    const answer = this.#read(code, freshness);
    this.#reading.set(code, { answer, freshness });
    return answer;
  }

  /** What was known of a code when the database last responded; null where that is too long ago, or nothing was. */
  lastKnown(code: string): FoundEntry | null {
    const known = this.#known.get(code);
    return known !== undefined && this.#now() - known.readAt < SHOWN_WITHOUT_DATABASE_MS ? known.entry : null;
  }

  /** Keeps what was made of an item, as long as the item itself is kept. */
  keepDocument(entry: FoundEntry, key: string, document: FinishedDocument): void {
    const known = this.#known.get(entry.code);
    if (known?.entry !== entry) return;
    known.entry.documents.set(key, document);
    this.#keep(known);
  }

  /** Nothing is believed longer because the clock was set back. */
  #isBelieved({ readAt }: Known): boolean {
    const age = this.#now() - readAt;
    return age >= 0 && age < BELIEVED_MS && readAt > this.#heardSince;
  }

  /** What is known or being read of a code may be old. */
  drop(code: string): void {
    this.#known.delete(code);
    const underWay = this.#reading.get(code);
    if (underWay === undefined) return;
    // It may have been read before the change: who waits for it gets it, nobody keeps it.
    underWay.freshness.stale = true;
    this.#reading.delete(code);
  }

  /** Nothing that is known by now is believed: changes may not have been heard. */
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
      if (entry.item.owner_first_name === en.finder.defaultOwnerName) await this.#repairOwner(code);
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
