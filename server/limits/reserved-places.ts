/** How many places a kind of work can have. */
export interface PlacesOfKind {
  /** That no other kind can take. */
  readonly own: number;
  /** In all. */
  readonly most: number;
}

export interface ReservedPlacesOptions<Kind extends string> {
  readonly kinds: Readonly<Record<Kind, PlacesOfKind>>;
  readonly places: number;
  /** How long a request waits for a place before it is refused, in milliseconds. */
  readonly waitMs: number;
}

/** Every place that the request may have was taken for the full waiting time. */
export class NoPlaceFree extends Error {
  override name = 'NoPlaceFree';

  constructor(kind: string) {
    super(`No place for ${kind} became free in time.`);
  }
}

interface Waiting {
  /** Its turn among the waiting requests of all kinds. */
  readonly turn: number;
  readonly begin: () => void;
}

interface State extends PlacesOfKind {
  taken: number;
  readonly waiting: Set<Waiting>;
}

/**
 * Divides places among kinds of work. A kind may have places to itself; all others are for any kind, up to the most that
 * it can have. So none with a place of its own is ever held up by others entirely.
 *
 * @example
 * const kinds = { reads: { own: 0, most: 2 }, writes: { own: 1, most: 5 } };
 * const places = new ReservedPlaces({ kinds, places: 5, waitMs: 5_000 });
 * await places.take('reads');
 */
export class ReservedPlaces<Kind extends string> {
  #waitMs: number;
  #kinds: ReadonlyMap<Kind, State>;
  /** Free places that no kind has to itself. */
  #spare: number;
  #turns = 0;

  constructor({ kinds, places, waitMs }: ReservedPlacesOptions<Kind>) {
    this.#waitMs = waitMs;
    // The keys of an object with the keys of Kind.
    const entries = Object.entries(kinds) as [Kind, PlacesOfKind][];
    this.#kinds = new Map(entries.map(([kind, bounds]) => [kind, { ...bounds, taken: 0, waiting: new Set() }]));
    this.#spare = entries.reduce((spare, [, { own }]) => spare - own, places);
  }

  /** How many places work of the kind has, and how many requests wait for one. */
  usage(kind: Kind): { readonly taken: number; readonly waiting: number } {
    const { taken, waiting } = this.#stateOf(kind);
    return { taken, waiting: waiting.size };
  }

  /** Takes a place. Returns a promise only where the request must wait; it rejects with `NoPlaceFree`. */
  take(kind: Kind): Promise<void> | undefined {
    const state = this.#stateOf(kind);
    return this.#takeNow(state) ? undefined : this.#wait(kind, state);
  }

  /** Returns a place, and passes it to the request that has waited longest of those that may have it. */
  giveBack(kind: Kind): void {
    const state = this.#stateOf(kind);
    if (state.taken > state.own) this.#spare += 1;
    state.taken -= 1;
    let next: { readonly state: State; readonly first: Waiting } | undefined;
    for (const other of this.#kinds.values()) {
      const [first] = other.waiting;
      if (first === undefined || !this.#mayTake(other)) continue;
      if (next === undefined || first.turn < next.first.turn) next = { state: other, first };
    }
    if (next === undefined) return;
    next.state.waiting.delete(next.first);
    this.#takeNow(next.state);
    next.first.begin();
  }

  #stateOf(kind: Kind): State {
    const state = this.#kinds.get(kind);
    if (state === undefined) throw new Error(`There is no kind named ${kind}.`);
    return state;
  }

  #mayTake({ taken, own, most }: State): boolean {
    return taken < own || (this.#spare > 0 && taken < most);
  }

  #takeNow(state: State): boolean {
    if (!this.#mayTake(state)) return false;
    if (state.taken >= state.own) this.#spare -= 1;
    state.taken += 1;
    return true;
  }

  #wait(kind: Kind, { waiting }: State): Promise<void> {
    return new Promise((resolve, reject) => {
      const mine: Waiting = {
        turn: this.#turns++,
        begin() {
          clearTimeout(late);
          resolve();
        },
      };
      const late = setTimeout(() => {
        waiting.delete(mine);
        reject(new NoPlaceFree(kind));
      }, this.#waitMs);
      waiting.add(mine);
    });
  }
}
