import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { NotPrimary } from './not-primary.ts';
import { type Outcome, probeServer } from './probe-server.ts';

/** Where one of the servers is. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** A connection that ends when another server has become the primary. */
interface Follower {
  abandon(): void;
  once(event: 'end', listener: () => void): unknown;
}

interface Server {
  readonly url: string;
  readonly place: Place;
  /** What it is asked at this moment. A server that hangs is not asked again meanwhile. */
  asked: Promise<Outcome> | null;
}

/** The time from one look to the next, however many connections wait for it. */
const LOOK_EVERY_MS = 100;
/** How long a look waits for a server that does not respond, and for others after one claims to be the primary. */
const LOOK_MS = 500;
const OTHERS_MS = 250;

/**
 * Knows which of several PostgreSQL servers is the primary: the one whose history of promotions is the longest. It
 * looks when it is first asked, and again after a connection was lost or refused.
 *
 * A former primary that is back, and does not know of the promotion, is never returned to: what it acknowledged would
 * be lost.
 */
export class Primary {
  #servers: readonly Server[];
  #log: ServiceLog;
  #known: Server | null = null;
  #finding: Promise<Server> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The highest timeline of a primary so far. Each promotion begins a new one. */
  #timeline = 0;
  #followers = new Map<Follower, Place>();

  /** @param urls - The address of each server. They differ in host and port only. */
  constructor(urls: readonly string[], log: ServiceLog) {
    this.#servers = urls.map((url) => {
      // The driver parses the address, here and for each connection.
      const { host, port } = new Client({ connectionString: url });
      return { url, place: { host, port }, asked: null };
    });
    this.#log = log;
  }

  /**
   * Resolves with where the primary is, within about a second.
   *
   * @throws NotPrimary where there is none at this moment
   */
  async find(): Promise<Place> {
    if (this.#known !== null) return this.#known.place;
    this.#finding ??= this.#find().finally(() => {
      this.#finding = null;
    });
    return (await this.#finding).place;
  }

  /** A connection to this server failed: it may no longer be the primary. */
  doubt(place: Place): void {
    if (this.#known?.place === place) this.#known = null;
  }

  /** Ends the connection to this server, open or not yet, when another one has become the primary. */
  follow(client: Follower, place: Place): void {
    this.#followers.set(client, place);
    client.once('end', () => this.#followers.delete(client));
  }

  async #find(): Promise<Server> {
    await pause(Math.max(0, this.#lookedAt + LOOK_EVERY_MS - performance.now()));
    this.#lookedAt = performance.now();
    const outcomes = await this.#look();
    const primaries = outcomes.flatMap(([server, { timeline }]) => (timeline === null ? [] : [{ server, timeline }]));
    // The first one of the address, where two have been promoted by mistake.
    const [first] = primaries.sort((one, other) => other.timeline - one.timeline);
    if (first === undefined || first.timeline < this.#timeline) {
      const states = this.#servers.map((server) => {
        const outcome = outcomes.find(([other]) => other === server)?.[1];
        return `${nameOf(server.place)} ${outcome?.state ?? 'does not respond'}`;
      });
      throw new NotPrimary(`No PostgreSQL of DATABASE_URL is the primary: ${states.join(', ')}.`);
    }
    if (this.#timeline !== 0 && first.timeline !== this.#timeline) {
      this.#log.warn({ primary: nameOf(first.server.place) }, 'Another PostgreSQL has become the primary.');
    }
    this.#timeline = first.timeline;
    this.#known = first.server;
    for (const [client, place] of this.#followers) if (place !== first.server.place) client.abandon();
    return first.server;
  }

  /** Asks all servers at once. Returns what was learned in time. */
  async #look(): Promise<(readonly [Server, Outcome])[]> {
    const outcomes: (readonly [Server, Outcome])[] = [];
    const claimed = Promise.withResolvers<void>();
    const all = this.#servers.map(async (server) => {
      server.asked ??= probeServer(server.url).finally(() => {
        server.asked = null;
      });
      const outcome = await server.asked;
      outcomes.push([server, outcome]);
      if (outcome.timeline !== null) claimed.resolve();
    });
    const enough = new AbortController();
    const others = claimed.promise.then(() => wait(OTHERS_MS, enough.signal));
    await Promise.race([Promise.all(all), wait(LOOK_MS, enough.signal), others]);
    enough.abort();
    // In the order of the address.
    return this.#servers.flatMap((server) => outcomes.filter(([other]) => other === server));
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, undefined, { signal }).catch(() => undefined);
}

function nameOf({ host, port }: Place): string {
  return `${host}:${port}`;
}
