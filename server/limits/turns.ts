/**
 * Pieces that wait, up to `most`. Their holders take turns: next is the first piece of the holder that `usedBy` gives the
 * least for, and of equal holders of the one that had its turn longest ago.
 *
 * When all places are taken, a new piece gets that of the latest one of the holder with the most; of equal holders, of
 * the one that has used the most. So one holder may have every place until another one needs some.
 */
export class Turns<Piece> {
  #most: number;
  #usedBy: (holder: string) => number;
  #count = 0;
  /** In the order of their turns; of each holder at least one. */
  #byHolder = new Map<string, Piece[]>();

  constructor(most: number, usedBy: (holder: string) => number = () => 0) {
    this.#most = most;
    this.#usedBy = usedBy;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a piece behind those of its holder. Returns the piece that has no place now: another one, this one, or none. */
  add(holder: string, piece: Piece): Piece | undefined {
    let removed: Piece | undefined;
    if (this.#count >= this.#most) {
      const from = this.#holderWithMoreThan(holder);
      if (from === undefined) return piece;
      removed = this.#take(from, 'last');
    }
    const own = this.#byHolder.get(holder);
    if (own === undefined) this.#byHolder.set(holder, [piece]);
    else own.push(piece);
    this.#count += 1;
    return removed;
  }

  /** Removes and returns the piece whose turn it is. Its holder moves behind all others. */
  next(): Piece | undefined {
    let [holder] = this.#byHolder.keys();
    if (holder === undefined) return undefined;
    let least = this.#usedBy(holder);
    for (const other of this.#byHolder.keys()) {
      const used = this.#usedBy(other);
      if (used < least) [holder, least] = [other, used];
    }
    const next = this.#take(holder, 'first');
    this.goBehind(holder);
    return next;
  }

  /** A holder that was served moves behind all others. */
  goBehind(holder: string): void {
    const rest = this.#byHolder.get(holder);
    if (rest === undefined) return;
    this.#byHolder.delete(holder);
    this.#byHolder.set(holder, rest);
  }

  /** The holder with the most that would still have more than the given one, or as many and has used more. */
  #holderWithMoreThan(holder: string): string | undefined {
    let found: string | undefined;
    let most = (this.#byHolder.get(holder)?.length ?? 0) + 1;
    let used = this.#usedBy(holder);
    for (const [other, { length }] of this.#byHolder) {
      if (other === holder || length < most) continue;
      const usedByOther = this.#usedBy(other);
      if (length === most && usedByOther <= used) continue;
      [found, most, used] = [other, length, usedByOther];
    }
    return found;
  }

  #take(holder: string, which: 'first' | 'last'): Piece | undefined {
    const own = this.#byHolder.get(holder) ?? [];
    const taken = which === 'first' ? own.shift() : own.pop();
    if (own.length === 0) this.#byHolder.delete(holder);
    this.#count -= 1;
    return taken;
  }
}
