import { HeldBytes, type HeldBytesOptions } from './held-bytes.ts';

/** A request whose body may still be arriving. */
export interface ArrivingRequest {
  readonly address: string;
  /** The bytes its body counts as. */
  readonly bytes: number;
  /** Whether the body has arrived completely. Such a request is never dropped. */
  isComplete(): boolean;
  /** The received bytes of the body, or slightly more. */
  arrived(): number;
  /** Closes its connection. */
  drop(): void;
}

export interface ArrivingBodiesOptions extends HeldBytesOptions {
  /** A body that began more recently than this many milliseconds ago is never dropped. */
  readonly graceMs: number;
  /** The most bodies that may be dropped for one. */
  readonly mostDropped: number;
  readonly now: () => number;
}

/** Releases a body's place; further calls have no effect. */
export type GiveBack = () => void;

/**
 * Counts arriving bodies by their announced length. Announcing costs a client nothing, so where there is no room the
 * slowest bodies are dropped: those of the same address where it has used up its share, otherwise those of any address.
 * A client that sends its body promptly is thus not delayed by clients that do not send theirs.
 */
export class ArrivingBodies {
  #held: HeldBytes;
  #options: ArrivingBodiesOptions;
  #arriving = new Map<ArrivingRequest, number>();

  constructor(options: ArrivingBodiesOptions) {
    this.#held = new HeldBytes(options);
    this.#options = options;
  }

  /** Counts the request's body. Returns null where there is no room for it. */
  begin(request: ArrivingRequest): GiveBack | null {
    if (request.bytes === 0) return () => undefined;
    if (!this.#held.take(request.address, request.bytes) && !this.#makeRoom(request)) return null;
    this.#arriving.set(request, this.#options.now());
    return () => this.#end(request);
  }

  #end(request: ArrivingRequest): void {
    if (this.#arriving.delete(request)) this.#held.giveBack(request.address, request.bytes);
  }

  /** Drops slow bodies until the request's body fits, and counts it. Returns false where it does not fit even then. */
  #makeRoom({ address, bytes }: ArrivingRequest): boolean {
    for (let dropped = 0; dropped < this.#options.mostDropped; dropped += 1) {
      const slowest = this.#slowest(this.#held.isFullFor(address, bytes) ? address : null);
      if (slowest === undefined) return false;
      this.#end(slowest);
      slowest.drop();
      if (this.#held.take(address, bytes)) return true;
    }
    return false;
  }

  #slowest(address: string | null): ArrivingRequest | undefined {
    const { graceMs, now } = this.#options;
    const latest = now() - graceMs;
    let slowest: ArrivingRequest | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [request, began] of this.#arriving) {
      if (began > latest || (address !== null && request.address !== address) || request.isComplete()) continue;
      const pace = request.arrived() / (now() - began);
      if (pace >= least) continue;
      least = pace;
      slowest = request;
    }
    return slowest;
  }
}
