import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { NotPrimary } from './not-primary.ts';
import { type Outcome, probeServer } from './probe-server.ts';
import type { History, SeenHistory } from './seen-history.ts';

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
/** How long the first look waits, without which the server does not start: as long as a probe takes. */
const FIRST_LOOK_MS = 2_500;
const FORMER = 'is a former primary';

/**
 * Knows which of several PostgreSQL servers is the primary: the one whose history of promotions is the longest. It
 * looks when it is first asked, and again after a connection was lost or refused.
 *
 * A former primary that is back, and does not know of the promotion, is never returned to, not even by a process that
 * starts later: what it acknowledged would be lost.
 */
export class Primary {
  #servers: readonly Server[];
  #log: ServiceLog;
  #known: Server | null = null;
  #finding: Promise<Server> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #seen: SeenHistory;
  /** The longest history of a primary so far, in this process. */
  #history: History | null = null;
  #followers = new Map<Follower, Place>();

  /**
   * @param urls - The address of each server. They differ in host and port only.
   * @param seen - What other processes, and those before this one, have seen.
   */
  constructor(urls: readonly string[], seen: SeenHistory, log: ServiceLog) {
    this.#seen = seen;
    this.#servers = urls.map((url) => {
      // The driver parses the address, here and for each connection.
      const { host, port } = new Client({ connectionString: url });
      return { url, place: { host, port }, asked: null };
    });
    this.#log = log;
  }

  /**
   * Resolves with where the primary is, within about a second, and three at the first time.
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
    // After the look, so that what another process learned meanwhile counts.
    const kept = await this.#seen.read();
    const longest = longerOf(this.#history, kept);
    const primaries = outcomes
      .flatMap(([server, outcome]) => (outcome.kind === 'primary' ? [{ server, history: outcome.history }] : []))
      .filter(({ history }) => !isFormer(history, longest) && !isOther(history, this.#history));
    // The first one of the address, where two have been promoted by mistake.
    const [first] = primaries.sort(
      (one, other) =>
        Number(isOther(one.history, longest)) - Number(isOther(other.history, longest)) ||
        other.history.timeline - one.history.timeline,
    );
    if (first === undefined) throw new NotPrimary(this.#describe(outcomes, longest));
    if (this.#history !== null && first.history.timeline !== this.#history.timeline) {
      this.#log.warn({ primary: nameOf(first.server.place) }, 'Another PostgreSQL has become the primary.');
    }
    this.#history = first.history;
    if (!isKnown(first.history, kept)) {
      await this.#seen.keep(first.history).catch((err: unknown) => {
        this.#log.warn({ err }, 'The timeline of PostgreSQL could not be kept for the next start.');
      });
    }
    this.#known = first.server;
    for (const [client, place] of this.#followers) if (place !== first.server.place) client.abandon();
    return first.server;
  }

  /** Says for the operator why none of the servers is the primary. */
  #describe(outcomes: readonly (readonly [Server, Outcome])[], longest: History | null): string {
    const outcomeOf = new Map(outcomes);
    const states = this.#servers.map((server) => ({ server, state: stateOf(outcomeOf.get(server), longest) }));
    const listed = states.map(({ server, state }) => `${nameOf(server.place)} ${state}`).join(', ');
    const restored = `If its database was restored to an earlier state on purpose, remove ${this.#seen.path} and start again.`;
    const mayBeRestored = states.some(({ state }) => state === FORMER);
    return `No PostgreSQL of DATABASE_URL is the primary: ${listed}.${mayBeRestored ? ` ${restored}` : ''}`;
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
      if (outcome.kind === 'primary') claimed.resolve();
    });
    const enough = new AbortController();
    const others = claimed.promise.then(() => wait(OTHERS_MS, enough.signal));
    await Promise.race([
      Promise.all(all),
      wait(this.#history === null ? FIRST_LOOK_MS : LOOK_MS, enough.signal),
      others,
    ]);
    enough.abort();
    // In the order of the address.
    return this.#servers.flatMap((server) => outcomes.filter(([other]) => other === server));
  }
}

function stateOf(outcome: Outcome | undefined, longest: History | null): string {
  if (outcome === undefined) return 'does not respond';
  if (outcome.kind === 'other') return outcome.state;
  return isFormer(outcome.history, longest) ? FORMER : 'belongs to another cluster';
}

/** Whether it is of the same cluster, and ends before a promotion that is known. */
function isFormer(history: History, longest: History | null): boolean {
  return longest !== null && history.system === longest.system && history.timeline < longest.timeline;
}

/** Whether the known one is of the same cluster and as long. */
function isKnown(history: History, known: History | null): boolean {
  return known !== null && history.system === known.system && history.timeline <= known.timeline;
}

/** Whether it is of another cluster than the known one. */
function isOther({ system }: History, known: History | null): boolean {
  return known !== null && system !== known.system;
}

/** What this process has seen itself counts, unless others have seen more of the same. */
function longerOf(own: History | null, kept: History | null): History | null {
  if (own === null || kept === null) return own ?? kept;
  return isFormer(own, kept) ? kept : own;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, undefined, { signal }).catch(() => undefined);
}

function nameOf({ host, port }: Place): string {
  return `${host}:${port}`;
}
