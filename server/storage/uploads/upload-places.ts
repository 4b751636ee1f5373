import { HeldBytes } from '#server/limits/memory/held-bytes.ts';

const MIB = 1024 * 1024;

/** Strangers and accounts have room of their own, so that a crowd of the former never delays the latter. */
export type SenderKind = 'finder' | 'account';

/** Who sends a file. */
export interface Sender {
  readonly kind: SenderKind;
  /** The network address. */
  readonly address: string;
  /** The length of the request's body, in bytes; null where it was not announced. */
  readonly announced: number | null;
}

/** A place for a file, from before its first byte until it is stored or dropped. */
export interface UploadPlace {
  /** Counts bytes of the file that are on the disk. */
  wrote(bytes: number): void;
  /** Further calls have no effect. */
  giveBack(): void;
}

/** The bytes that unfinished uploads may occupy together. `docs/operate/limits.md` lists them. */
export const UPLOADS = {
  finder: { perAddress: 24 * MIB, inAll: 128 * MIB },
  account: { perAddress: 64 * MIB, inAll: 256 * MIB },
} as const;

export interface UploadPlacesOptions {
  /** The largest file of an account, in bytes. An address may send one, and all together four, whatever its size. */
  readonly largestFile: number;
  /** How many processes divide the bytes for all. */
  readonly processes: number;
}

/** Counts what files that arrive, or wait to be decoded, occupy on the disk. Nothing of a file without a place is read. */
export class UploadPlaces {
  #held: Readonly<Record<SenderKind, HeldBytes>>;
  #unwritten = 0;

  constructor({ largestFile, processes }: UploadPlacesOptions) {
    const bound = (perAddress: number, inAll: number) =>
      new HeldBytes({ perAddress, inAll: Math.max(perAddress, Math.floor(inAll / processes)) });
    const { finder, account } = UPLOADS;
    this.#held = {
      finder: bound(finder.perAddress, finder.inAll),
      account: bound(Math.max(account.perAddress, largestFile), Math.max(account.inAll, 4 * largestFile)),
    };
  }

  /** What unfinished uploads occupy or may still write, in bytes. */
  get held(): number {
    return this.#held.finder.total + this.#held.account.total;
  }

  /** The part of these bytes that is not on the disk yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Returns null where there is no room for so many bytes. */
  take({ kind, address }: Sender, bytes: number): UploadPlace | null {
    const held = this.#held[kind];
    if (!held.take(address, bytes)) return null;
    let left = bytes;
    let isGivenBack = false;
    this.#unwritten += left;
    const write = (written: number) => {
      const counted = Math.min(left, written);
      left -= counted;
      this.#unwritten -= counted;
    };
    return {
      wrote: write,
      giveBack() {
        if (isGivenBack) return;
        isGivenBack = true;
        write(left);
        held.giveBack(address, bytes);
      },
    };
  }
}
