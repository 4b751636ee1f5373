import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { isAsOpened, READ_SESSION_SETTINGS, type SessionSettings } from '../check-connections.ts';
import { endWhenSilent, type WatchedConfig } from '../end-when-silent.ts';
import type { Notifications } from '../notifications.ts';
import { type OpeningStatement, queryOpened, sendOpened } from '../opened-query.ts';
import type { Statement, StatementResult } from '../statement.ts';

export interface StandbyOptions {
  /** How to connect to it, as a visitor that only reads. */
  readonly config: WatchedConfig;
  /** Sets the service's role for a statement. */
  readonly asService: OpeningStatement;
  readonly notifications: Pick<Notifications, 'connection' | 'listen'>;
  readonly log: ServiceLog;
}

/** How often the standby is compared with the primary. */
const COMPARED_EVERY_MS = 250;
/**
 * How old the last comparison may be. Together with the life of a page in memory it stays below 5 s, within which a
 * contact method that was switched off must be off everywhere, also where its notification was lost.
 */
const COMPARED_WITHIN_MS = 750;
/** A read that has no response by then is sent to the primary too. */
const IMPATIENT_AFTER_MS = 50;
/** Reads in progress at most; further ones go to the primary. */
const MOST_READS = 64;
/** The wait after a connection failed. */
const RECONNECT_MS = 1_000;
/** Marks are written anew in this time. Those of yesterday are deleted. */
const MARKED_EVERY_MS = 3_600_000;

/** For the operator, in the log. */
const STANDBY_SETTINGS_NOT_HEEDED =
  'The standby does not heed the settings that connections are opened with. DATABASE_READ_URL must lead to PostgreSQL itself and to no pooler, and must name no "options" and no time limits of its own.';

/** Where the primary's log was at a time, in milliseconds of the monotonic clock. */
interface Position {
  readonly at: number;
  /** As PostgreSQL writes it (`pg_lsn`). */
  readonly lsn: string;
}

/** How many reads it answered, and how many that could have gone to it went to the primary. */
export interface StandbyCounts {
  readonly standby: number;
  readonly primary: number;
}

/**
 * A PostgreSQL that replays what the primary writes, for reads of items by visitors. It is used for an item only while it
 * is known to have everything that was announced about it. Every other read goes to the primary, and so does one that
 * fails here or takes long ([decision 88](../../../docs/decisions/0088-reads-from-a-standby.md)).
 *
 * The primary's position in its log is asked on the connection over which notifications arrive. A standby that has
 * replayed up to it has every change whose notification arrived before. Under writes it never has the latest position, so
 * the one before it counts that it has reached, as long as that is not too old. A mark, written over that connection, shows
 * that the standby follows this primary, and not one that was replaced.
 */
export class Standby {
  #options: StandbyOptions;
  #client: Client | undefined;
  #reads = 0;
  /** The primary's connection over which the mark was written. */
  #marked: { readonly connection: object; readonly id: string; readonly at: number } | undefined;
  /** The primary's, over the connection of the mark; the oldest first, and none too old to count. */
  #positions: readonly Position[] = [];
  /** The standby has everything from before this time, in milliseconds of the monotonic clock. */
  #currentUntil = Number.NEGATIVE_INFINITY;
  /** When the latest change of an item was announced, by code. Contains what the last comparison may have missed. */
  #changedAt = new Map<string, number>();
  #wasUsable: boolean | undefined;
  #isListening = false;
  #counts = { standby: 0, primary: 0 };
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;

  constructor(options: StandbyOptions) {
    this.#options = options;
    this.#ended = this.#keepComparing();
  }

  get counts(): StandbyCounts {
    return this.#counts;
  }

  get isUsable(): boolean {
    const { connection } = this.#options.notifications;
    return (
      this.#client !== undefined &&
      connection !== undefined &&
      connection === this.#marked?.connection &&
      performance.now() - this.#currentUntil < COMPARED_WITHIN_MS
    );
  }

  /** Runs a read about the item with a code here, or passes it to `onPrimary`. */
  read<Row>(
    code: string,
    statement: Statement,
    onPrimary: () => Promise<StatementResult<Row>>,
  ): Promise<StatementResult<Row>> {
    const client = this.#client;
    const hasMissed = (this.#changedAt.get(code) ?? Number.NEGATIVE_INFINITY) >= this.#currentUntil;
    if (client === undefined || hasMissed || this.#reads >= MOST_READS || !this.isUsable) {
      this.#counts.primary += 1;
      return onPrimary();
    }
    this.#reads += 1;
    return new Promise((resolve) => {
      let isWaiting = true;
      const leave = () => {
        isWaiting = false;
        this.#counts.primary += 1;
        resolve(onPrimary());
      };
      const impatient = setTimeout(() => {
        // Until it has responded to the next comparison, nothing more is sent to it.
        this.#distrust();
        leave();
      }, IMPATIENT_AFTER_MS);
      sendOpened<Row>(client, [], statement, (error, result) => {
        this.#reads -= 1;
        if (!isWaiting) return;
        clearTimeout(impatient);
        if (error !== null && error !== undefined) return leave();
        this.#counts.standby += 1;
        resolve(result);
      });
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#ended, this.#client?.end().catch(() => undefined)]);
  }

  #distrust(): void {
    this.#currentUntil = Number.NEGATIVE_INFINITY;
  }

  async #keepComparing(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      let wait = COMPARED_EVERY_MS;
      let reason: unknown;
      try {
        await this.#compare();
      } catch (error) {
        reason = error;
        if (this.#client === undefined) wait = RECONNECT_MS;
      }
      this.#report(reason);
      await pause(wait, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Learns until when the standby has everything. Where it lags behind too far, what was known before stays. */
  async #compare(): Promise<void> {
    const { notifications, asService } = this.#options;
    if (!this.#isListening) {
      await notifications.listen('item_changed', { onPayload: (codes) => this.#noteChanges(codes.split(' ')) });
      this.#isListening = true;
    }
    const { connection } = notifications;
    if (connection === undefined) return;
    const hasMark = this.#marked?.connection === connection && performance.now() - this.#marked.at < MARKED_EVERY_MS;
    if (!hasMark) {
      const id = randomUUID();
      await queryOpened(connection, [asService], {
        text: 'insert into internal.standby_marks (id) values ($1)',
        values: [id],
      });
      if (this.#marked?.connection !== connection) {
        this.#distrust();
        this.#positions = [];
      }
      this.#marked = { connection, id, at: performance.now() };
    }
    const mark = this.#marked?.id;
    const at = performance.now();
    const { rows: written } = await connection.query<{ lsn: string }>(
      'select pg_current_wal_insert_lsn()::text as lsn',
    );
    const recent = this.#positions.filter((position) => at - position.at < COMPARED_WITHIN_MS);
    const positions = [...recent, ...written.map(({ lsn }) => ({ at, lsn }))];
    this.#positions = positions;
    const client = this.#client ?? (await this.#connect());
    const { rows } = await queryOpened<{ reached: number }>(client, [asService], {
      name: 'compare_standby',
      text: `select count(*)::integer as reached from unnest($1::pg_lsn[]) as written
          where written <= pg_last_wal_replay_lsn() and exists (select from internal.standby_marks where id = $2)`,
      values: [positions.map(({ lsn }) => lsn), mark],
    });
    const isSame = client === this.#client && connection === notifications.connection;
    // They only grow, so those that it has reached are the first ones.
    const reached = positions[(rows[0]?.reached ?? 0) - 1];
    if (isSame && reached !== undefined) this.#currentUntil = Math.max(this.#currentUntil, reached.at);
    this.#forgetChanges();
  }

  #noteChanges(codes: readonly string[]): void {
    const now = performance.now();
    for (const code of codes) {
      // The latest last, so that the oldest are found first.
      this.#changedAt.delete(code);
      this.#changedAt.set(code, now);
    }
  }

  /** What is older than a comparison may be is in every later one. */
  #forgetChanges(): void {
    const before = performance.now() - COMPARED_WITHIN_MS;
    for (const [code, at] of this.#changedAt) {
      if (at >= before) return;
      this.#changedAt.delete(code);
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client({ ...this.#options.config, pipeline: true });
    const forget = () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#distrust();
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      const { rows } = await client.query<SessionSettings>(READ_SESSION_SETTINGS);
      // It would otherwise read as the owner of all tables.
      if (!isAsOpened(rows[0], 'anon')) throw new Error(STANDBY_SETTINGS_NOT_HEEDED);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    endWhenSilent(client, this.#options.config.silentAfterMs);
    this.#client = client;
    if (this.#closing.signal.aborted) await client.end().catch(() => undefined);
    return client;
  }

  /** Logs when it begins to be used and when it ceases to be, each once. */
  #report(reason: unknown): void {
    const { isUsable } = this;
    if (isUsable === this.#wasUsable || this.#closing.signal.aborted) return;
    this.#wasUsable = isUsable;
    if (isUsable) this.#options.log.info({}, 'Items are read from the standby.');
    else this.#options.log.warn({ err: reason }, 'The standby is not used: it lags behind, or does not respond.');
  }
}
