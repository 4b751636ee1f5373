import { type Runner, type RunnerOptions, run } from 'graphile-worker';
import { Pool } from 'pg';
import { FairShares } from '#server/limits/fair-shares.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { PostgresAddress } from './address.ts';
import { asQueryConfig } from './as-query-config.ts';
import { type Caller, type CallOptions, holderOf, VISITOR } from './caller.ts';
import { endWhenSilent, type WatchedConfig } from './end-when-silent.ts';
import { Lane } from './lane.ts';
import { type NotificationListener, Notifications } from './notifications.ts';
import { queryOpened, sendOpened } from './opened-query.ts';
import { BEGIN, beginning, opening } from './opening.ts';
import { QueuePool } from './queue-pool.ts';
import { QuickStatements } from './quick-statements.ts';
import { type SharedPool, withShare } from './shared-pool.ts';
import { asPostgresError, QUERY_CANCELED } from './sqlstate.ts';
import type { Statement, StatementResult, Transaction } from './statement.ts';
import { send, transact, withClient } from './transact.ts';

/** A connection reserved for one part of the service until it is released. */
export interface HeldConnection {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  once(event: 'error', listener: (error: Error) => void): unknown;
  /** Returns the connection to the pool, or closes it, which also ends what its session holds. */
  release(destroy: boolean): void;
}

/**
 * The only access to the database: no pool and no connection string leaves this folder. Requests run as their caller,
 * under row-level security. Each method that bypasses row-level security says so.
 */
export interface Database {
  /**
   * Runs one read as a visitor without claims: one statement and one round trip, on connections whose role is already
   * `anon`.
   */
  readAsVisitor<Row = Record<string, unknown>>(statement: Statement): Promise<StatementResult<Row>>;
  /**
   * Runs one statement in a transaction as the caller. Role, claims, statement and commit take one round trip. Rejects
   * with `ShareUsedUp` where the holder's share of the connections stays in use for too long.
   *
   * ```ts
   * const { rows } = await database.asCaller(caller, { text: 'select id from public.items' }, { readOnly: true });
   * ```
   */
  asCaller<Row = Record<string, unknown>>(
    caller: Caller,
    statement: Statement,
    options?: CallOptions,
  ): Promise<StatementResult<Row>>;
  /**
   * Runs several statements in such a transaction. Commits when `work` resolves and rolls back when it throws.
   *
   * ```ts
   * await database.transactAsCaller(caller, async (transaction) => {
   *   await transaction.query({ text: 'delete from public.items where id = $1', values: [id] });
   * });
   * ```
   */
  transactAsCaller<Result>(
    caller: Caller,
    work: (transaction: Transaction) => Promise<Result>,
    options?: CallOptions,
  ): Promise<Result>;
  /**
   * Runs one statement that bypasses row-level security. With a `name` each connection prepares it once.
   *
   * ```ts
   * const { rows } = await database.asService<{ id: string }>({
   *   name: 'item_of_code',
   *   text: 'select id from public.items where qr_id = $1',
   *   values: [code],
   * });
   * ```
   */
  asService<Row = Record<string, unknown>>(statement: Statement): Promise<StatementResult<Row>>;
  /** Runs several statements in one transaction that bypasses row-level security. */
  transactAsService<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Subscribes to a notification channel, whose name must be a constant. The returned function unsubscribes.
   *
   * ```ts
   * const stop = await database.listen('item_changed', { onPayload: forgetItem, onGap: forgetAll });
   * ```
   */
  listen(channel: string, listener: NotificationListener): Promise<() => void>;
  /** Whether listeners have received everything committed until about 3 s ago. */
  isHearing(): boolean;
  /**
   * Runs one statement of the rate limits, which bypasses row-level security, on separate connections. A transaction
   * that took a second connection from its own pool could deadlock with others; counting cannot.
   */
  countLimits<Row = Record<string, unknown>>(statement: Statement): Promise<StatementResult<Row>>;
  /**
   * Runs one statement as the account that migrated and owns the tables and the job queue. Bypasses row-level security.
   */
  asOwner<Row = Record<string, unknown>>(statement: Statement): Promise<StatementResult<Row>>;
  /** Reserves a connection as that account, for what lasts as long as a session, such as an advisory lock. */
  holdAsOwner(): Promise<HeldConnection>;
  /** Works on the job queue as that account, until the returned runner is stopped. */
  runJobQueue(options: Omit<RunnerOptions, 'pgPool'>): Promise<Runner>;
  /** How the connections are used at this moment. */
  usage(): readonly PoolUsage[];
  close(): Promise<void>;
}

/** The connections of one pool. */
interface PoolUsage {
  readonly pool: string;
  readonly busy: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
}

export interface DatabaseOptions {
  readonly address: PostgresAddress;
  readonly log: ServiceLog;
  /** Allows claiming weak tag codes. Only for development servers. */
  readonly development?: boolean;
  /** The most items of one account. Defaults to `ITEMS_PER_ACCOUNT`. */
  readonly itemsPerAccount?: number;
  /** Connections for the transactions of signed-in callers. Defaults to `CALLER_CONNECTIONS`. */
  readonly callerConnections?: number;
}

const ITEMS_PER_ACCOUNT = 1_000;
const VISITOR_STATEMENT_TIMEOUT_MS = 1_000;
const CALLER_STATEMENT_TIMEOUT_MS = 8_000;
const SERVICE_STATEMENT_TIMEOUT_MS = 15_000;
/** The timeout of a read on the shared connections; a slower one is run again on a connection of its own. */
const QUICK_STATEMENT_TIMEOUT_MS = 100;
/** How much longer than the longest statement timeout a response may take before its connection counts as dead. */
const SILENCE_MS = 2_000;
/** How long a request waits for a connection before it fails. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** Connections for the transactions of signed-in callers. All other pools are smaller. */
const CALLER_CONNECTIONS = 10;
/** The size of the pool for visitors, and of the pool for slow reads of signed-in callers. */
const halfOf = (connections: number): number => Math.ceil(connections / 2);
/** The most connections of one holder. With a larger share, few accounts could take all of them. */
const shareOf = (connections: number): number => Math.ceil(connections / 3);
/** How connections are divided between callers, for the operator's page on limits. */
export const CALLER_SHARES = {
  connections: CALLER_CONNECTIONS,
  perAccount: shareOf(CALLER_CONNECTIONS),
  visitorConnections: halfOf(CALLER_CONNECTIONS),
  perVisitingAddress: shareOf(halfOf(CALLER_CONNECTIONS)),
} as const;
/** Connections for the service's own statements and transactions. */
export const SERVICE_CONNECTIONS = 6;

/** Creates the database access. Pools connect at first use. */
export function openDatabase({
  address,
  log,
  development = false,
  itemsPerAccount = ITEMS_PER_ACCOUNT,
  callerConnections = CALLER_CONNECTIONS,
}: DatabaseOptions): Database {
  const connection = (
    role: string | undefined,
    statementTimeoutMs: number,
    more: readonly string[] = [],
  ): WatchedConfig => ({
    ...address,
    silentAfterMs: statementTimeoutMs + SILENCE_MS,
    application_name: 'reunite',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: [
      role === undefined ? '' : `-c role=${role}`,
      `-c statement_timeout=${statementTimeoutMs}`,
      '-c timezone=UTC',
      '-c idle_in_transaction_session_timeout=20000',
      `-c reunite.development=${development ? 'on' : 'off'}`,
      `-c reunite.account_items=${itemsPerAccount}`,
      ...more,
    ].join(' '),
  });
  const pool = (config: WatchedConfig, max: number, Kind = Pool): Pool => {
    const created = new Kind({ ...config, max });
    // The pool drops a connection that breaks while idle. Without a listener its error would end the process.
    created.on('error', (error) => {
      if (!created.ending) log.warn({ err: error }, 'An idle database connection was lost.');
    });
    // The same for a connection that breaks in use: the failing statement reports it.
    created.on('connect', (client) => {
      client.on('error', () => undefined);
      endWhenSilent(client, config.silentAfterMs);
    });
    return created;
  };
  const shared = (config: WatchedConfig, max: number): SharedPool => ({
    pool: pool(config, max),
    shares: new FairShares({ most: shareOf(max), waitMs: CONNECT_TIMEOUT_MS }),
  });

  // The settings of a visitor's transaction, set once per connection.
  const visitorSettings = [
    `-c request.jwt.claims=${JSON.stringify(VISITOR.claims)}`,
    '-c default_transaction_read_only=on',
  ];
  const visitors = new Lane(connection('anon', QUICK_STATEMENT_TIMEOUT_MS, visitorSettings), {
    connections: 4,
    full: 64,
  });
  // Other statements of visitors have separate connections, so that they leave the signed-in callers' connections free.
  const visiting = shared(
    { ...connection('anon', VISITOR_STATEMENT_TIMEOUT_MS), pipeline: true },
    halfOf(callerConnections),
  );
  // A caller's connection has the role `anon` until its transaction sets another, so that a lost BEGIN can never widen
  // permissions. Requests with the secret key use this pool too, with their own longer timeout.
  const callerConnection = {
    ...connection('anon', CALLER_STATEMENT_TIMEOUT_MS),
    silentAfterMs: SERVICE_STATEMENT_TIMEOUT_MS + SILENCE_MS,
    pipeline: true,
  };
  const callers = shared(callerConnection, callerConnections);
  // Reads of signed-in callers that are known to be quick share a few connections. Reads that turned out to be slow
  // have a small pool of their own, so that they delay only each other.
  const quickReads = new Lane(connection('anon', QUICK_STATEMENT_TIMEOUT_MS), { connections: 3, full: 16 });
  const slowReads = shared(callerConnection, halfOf(callerConnections));
  const quick = new QuickStatements();
  const poolOf = ({ role }: Caller) => (role === 'anon' ? visiting : callers);
  const service = pool(
    { ...connection('service_role', SERVICE_STATEMENT_TIMEOUT_MS), pipeline: true },
    SERVICE_CONNECTIONS,
  );
  const limits = pool(connection('service_role', SERVICE_STATEMENT_TIMEOUT_MS), 3);
  const owner = pool(connection(undefined, SERVICE_STATEMENT_TIMEOUT_MS), 4, QueuePool);
  // Checks every second whether the server is still there.
  const listening = { ...connection(undefined, 0), application_name: 'reunite notifications' };
  const notifications = new Notifications(listening, log);

  return {
    readAsVisitor: <Row>(statement: Statement) =>
      visitors.send<StatementResult<Row>>(
        (client, done) => sendOpened(client, [], statement, done),
        () => callAlone<Row>(visiting, VISITOR, statement, { readOnly: true }),
      ),
    asCaller: <Row>(caller: Caller, statement: Statement, options: CallOptions = {}) => {
      const { name } = statement;
      const { readOnly = false, rollback = false, settings = {} } = options;
      if (rollback) {
        const once = ({ query }: Transaction) => query<Row>(statement);
        return withShare(poolOf(caller), holderOf(caller, options), (client) =>
          transact(client, beginning(caller, options), once, options),
        );
      }
      // A request with its own timeout keeps that timeout.
      if (name === undefined || !readOnly || caller.role === 'anon' || settings.statement_timeout !== undefined) {
        return callAlone<Row>(poolOf(caller), caller, statement, options);
      }
      const slowly = () => {
        quick.wasSlow(name);
        return callAlone<Row>(slowReads, caller, statement, options);
      };
      const quickly = async () => {
        const limited = { ...settings, statement_timeout: `${QUICK_STATEMENT_TIMEOUT_MS}` };
        try {
          const result = await callAlone<Row>(callers, caller, statement, { ...options, settings: limited });
          quick.wasQuick(name);
          return result;
        } catch (error) {
          if (asPostgresError(error)?.code !== QUERY_CANCELED) throw error;
          return slowly();
        }
      };
      if (quick.isSlow(name)) return callAlone<Row>(slowReads, caller, statement, options);
      if (!quick.isQuick(name)) return quickly();
      return quickReads.send<StatementResult<Row>>(
        (client, done) => sendOpened(client, [opening(caller, options)], statement, done),
        (wasSlow) => (wasSlow ? slowly() : quickly()),
      );
    },
    transactAsCaller: (caller, work, options = {}) =>
      withShare(poolOf(caller), holderOf(caller, options), (client) =>
        transact(client, beginning(caller, options), work, options),
      ),
    asService: (statement) => withClient(service, (client) => send(client, statement)),
    transactAsService: (work) => withClient(service, (client) => transact(client, [BEGIN], work)),
    listen: (channel, listener) => notifications.listen(channel, listener),
    isHearing: () => notifications.isHearing,
    countLimits: <Row>(statement: Statement) => limits.query<Row & object>(asQueryConfig(statement)),
    asOwner: <Row>(statement: Statement) => owner.query<Row & object>(asQueryConfig(statement)),
    holdAsOwner: () => owner.connect(),
    runJobQueue: (options) => run({ ...options, pgPool: owner }),
    usage() {
      const pools = {
        callers: callers.pool,
        slow_reads: slowReads.pool,
        visitors: visiting.pool,
        service,
        limits,
        owner,
      };
      const lanes = { shared_by_visitors: visitors, shared_by_callers: quickReads };
      return [
        ...Object.entries(pools).map(([name, { totalCount, idleCount, waitingCount }]) => ({
          pool: name,
          busy: totalCount - idleCount,
          idle: idleCount,
          waiting: waitingCount,
        })),
        ...Object.entries(lanes).map(([name, lane]) => ({ pool: name, ...lane.usage, waiting: 0 })),
      ];
    },
    async close() {
      const pools = [callers.pool, slowReads.pool, visiting.pool, service, limits, owner];
      await Promise.all([
        visitors.close(),
        quickReads.close(),
        notifications.close(),
        ...pools.map((one) => one.end()),
      ]);
    },
  };
}

/** Runs one statement as the caller, on a connection reserved for it. */
function callAlone<Row>(
  pool: SharedPool,
  caller: Caller,
  statement: Statement,
  options: CallOptions,
): Promise<StatementResult<Row>> {
  return withShare(pool, holderOf(caller, options), (client) =>
    queryOpened<Row>(client, [opening(caller, options)], statement),
  );
}
