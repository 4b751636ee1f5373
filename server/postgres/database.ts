import { type Runner, type RunnerOptions, run } from 'graphile-worker';
import { Pool } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import type { PostgresAddress } from './address.ts';
import { type CallKind, CallPool, divideAmongCalls } from './call-pool.ts';
import { type Caller, type CallOptions, holderOf, VISITOR } from './caller.ts';
import { DEFAULT_CONNECTIONS, divideConnections } from './divide-connections.ts';
import { endWhenSilent, type WatchedConfig } from './end-when-silent.ts';
import { Lane } from './lane.ts';
import {
  LISTENING_SETTINGS,
  LISTENING_STATEMENT_TIMEOUT_MS,
  type NotificationListener,
  Notifications,
} from './notifications.ts';
import { queryOpened, sendOpened } from './opened-query.ts';
import { BEGIN, beginning, opening, settingRole } from './opening.ts';
import { poolForQueue } from './pool-for-queue.ts';
import { PrimaryClient } from './primary-client.ts';
import { asQueryConfig, type Statement, type StatementResult, type Transaction } from './statement.ts';
import { retryAfterDeadlock, send, transact, withClient } from './transact.ts';

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
   * Runs one statement in a transaction as the caller. Role, claims, statement and commit take one round trip. It runs
   * once more after a deadlock. Rejects with `ShareUsedUp` where the holder's share of the connections stays in use for
   * too long.
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
   * Runs one statement that bypasses row-level security, and once more after a deadlock. With a `name` each connection
   * prepares it once.
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
  /**
   * Resolves once this process holds the advisory lock of that name. It ends with the process, however that ends, and
   * while the database is unreachable. The returned function releases it.
   */
  holdLock(name: string): Promise<() => Promise<void>>;
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
  /**
   * A pooler before that PostgreSQL, which may give each transaction another session. Calls go through it; what needs a
   * session of its own goes to `address`. None by default.
   */
  readonly pooler?: PostgresAddress | undefined;
  readonly log: ServiceLog;
  /** Allows claiming weak tag codes. Only for development servers. */
  readonly development?: boolean;
  /** The most items of one account. Defaults to `ITEMS_PER_ACCOUNT`. */
  readonly itemsPerAccount?: number;
  /** Which free codes may be claimed. Defaults to `any`. */
  readonly claimableCodes?: 'any' | 'issued';
  /** The most connections. Defaults to `DEFAULT_CONNECTIONS`. */
  readonly connections?: number;
}

const ITEMS_PER_ACCOUNT = 1_000;
const VISITOR_STATEMENT_TIMEOUT_MS = 1_000;
/** Shorter than a call waits, so that the first turn that others leave comes in time (decision 70). */
const CALLER_STATEMENT_TIMEOUT_MS = 4_000;
const SERVICE_STATEMENT_TIMEOUT_MS = 15_000;
/** Counting takes less than a millisecond. Where it cannot, others must not wait behind it for long. */
const LIMIT_STATEMENT_TIMEOUT_MS = 3_000;
/** The timeout of a read on the shared connections; a slower one is run again on a connection of its own. */
const QUICK_STATEMENT_TIMEOUT_MS = 100;
/** How much longer than the longest statement timeout a response may take before its connection counts as dead. */
const SILENCE_MS = 2_000;
/** How long a request waits for a connection before it fails. */
export const CONNECT_TIMEOUT_MS = 5_000;
/**
 * When an unused connection is closed; one of each pool stays. On a new one a call costs many times as much, because
 * PostgreSQL starts a process for it, which reads its catalogs and plans every statement anew (decision 97).
 */
const IDLE_MS = 600_000;
/** After so long without a byte TCP looks whether the other end is there, and a router keeps the path open. */
const KEEP_ALIVE_AFTER_MS = 60_000;
/** How connections are divided between calls by default, for the operator's page on limits. */
export const CALL_SHARES = divideAmongCalls(divideConnections(DEFAULT_CONNECTIONS).calls);

/** Creates the database access. Pools connect at first use. */
export function openDatabase({
  address,
  pooler,
  log,
  development = false,
  itemsPerAccount = ITEMS_PER_ACCOUNT,
  claimableCodes = 'any',
  connections = DEFAULT_CONNECTIONS,
}: DatabaseOptions): Database {
  const parts = divideConnections(connections);
  const everywhere = {
    timezone: 'UTC',
    // What functions tell the service (`Statement.onNotice`) arrives whatever the database or the role has set.
    client_min_messages: 'notice',
    idle_in_transaction_session_timeout: '20000',
    'reunite.development': development ? 'on' : 'off',
    'reunite.account_items': `${itemsPerAccount}`,
    'reunite.claimable_codes': claimableCodes,
  };
  const connection = (
    role: string | undefined,
    statementTimeoutMs: number,
    more: readonly string[] = [],
    to: PostgresAddress = address,
  ): WatchedConfig => ({
    ...to,
    silentAfterMs: statementTimeoutMs + SILENCE_MS,
    application_name: 'reunite',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    options: [
      role === undefined ? '' : `-c role=${role}`,
      `-c statement_timeout=${statementTimeoutMs}`,
      ...Object.entries(everywhere).map(([name, value]) => `-c ${name}=${value}`),
      ...more,
    ].join(' '),
  });
  /** A connection for calls as a role, which sets role and settings itself where a pooler is in between. */
  const callConnection = (role: string, statementTimeoutMs: number, more: readonly string[] = []): WatchedConfig => {
    if (pooler === undefined) return connection(role, statementTimeoutMs, more);
    const { options: _none, ...config } = connection(role, statementTimeoutMs, more, pooler);
    return { ...config, isPooled: true };
  };
  /** Completes a call's options with what a connection has from its start, unless a pooler is in between. */
  const completed = (options: CallOptions, statementTimeoutMs: number): CallOptions =>
    pooler === undefined
      ? options
      : { ...options, settings: { ...everywhere, statement_timeout: `${statementTimeoutMs}`, ...options.settings } };
  const pool = (config: WatchedConfig, max: number): Pool => {
    const created = new Pool({ ...config, Client: PrimaryClient, max, min: 1, idleTimeoutMillis: IDLE_MS });
    // The pool drops a connection that breaks while idle. Without a listener its error would end the process.
    created.on('error', (error) => {
      if (!created.ending) log.warn({ err: error }, 'An idle database connection was lost.');
    });
    // The same for a connection that breaks in use: the failing statement reports it. What broke one has often broken
    // the idle ones too, and each could fail another call.
    created.on('connect', (client) => {
      client.on('error', () => void dropIdle(created));
      endWhenSilent(client, config.silentAfterMs);
    });
    return created;
  };

  // The settings of a visitor's transaction, set once per connection.
  const visitorSettings = [
    `-c request.jwt.claims=${JSON.stringify(VISITOR.claims)}`,
    '-c default_transaction_read_only=on',
  ];
  const visitors = new Lane(callConnection('anon', QUICK_STATEMENT_TIMEOUT_MS, visitorSettings), {
    connections: parts.visitorLane,
    full: 64,
  });
  const visitorOpenings =
    pooler === undefined ? [] : [opening(VISITOR, completed({ readOnly: true }, QUICK_STATEMENT_TIMEOUT_MS))];
  // Every other call has a connection to itself. It has the role `anon` until its transaction sets another, so that a
  // lost BEGIN can never widen permissions. Requests with the secret key have their own longer timeout.
  const silentAfterMs = SERVICE_STATEMENT_TIMEOUT_MS + SILENCE_MS;
  const calls = new CallPool({
    pool: pool({ ...callConnection('anon', CALLER_STATEMENT_TIMEOUT_MS), silentAfterMs, pipeline: true }, parts.calls),
    connections: parts.calls,
    waitMs: CONNECT_TIMEOUT_MS,
    silentAfterMs: {
      callers: silentAfterMs,
      visitors: VISITOR_STATEMENT_TIMEOUT_MS + SILENCE_MS,
      service: silentAfterMs,
    },
  });
  // A crash of PostgreSQL may lose the counts of the last second. In exchange no count waits for the disk.
  const limits = pool(
    connection('service_role', LIMIT_STATEMENT_TIMEOUT_MS, ['-c synchronous_commit=off']),
    parts.limits,
  );
  const owner = pool(connection(undefined, SERVICE_STATEMENT_TIMEOUT_MS), parts.owner);
  // Checks every second whether the server is still there.
  const listening = {
    ...connection(undefined, LISTENING_STATEMENT_TIMEOUT_MS, LISTENING_SETTINGS),
    application_name: 'reunite notifications',
  };
  const notifications = new Notifications(listening, log);
  const asService = settingRole('service_role', {
    ...(pooler === undefined ? {} : everywhere),
    statement_timeout: `${SERVICE_STATEMENT_TIMEOUT_MS}`,
  });

  const kindOf = ({ role }: Caller): CallKind => {
    if (role === 'anon') return 'visitors';
    return role === 'service_role' ? 'service' : 'callers';
  };
  /** Runs one statement as the caller, on a connection reserved for it. */
  const callAlone = <Row>(caller: Caller, statement: Statement, options: CallOptions) => {
    const kind = kindOf(caller);
    const limited = completed(withTimeLimit(kind, options), CALLER_STATEMENT_TIMEOUT_MS);
    return retryAfterDeadlock(() =>
      calls.run(kind, holderOf(caller, options), (client) =>
        queryOpened<Row>(client, [opening(caller, limited)], statement),
      ),
    );
  };
  /** Runs several statements as the caller, in one transaction. */
  const transactAlone = <Result>(
    caller: Caller,
    work: (transaction: Transaction) => Promise<Result>,
    options: CallOptions,
  ): Promise<Result> => {
    const kind = kindOf(caller);
    const limited = completed(withTimeLimit(kind, options), CALLER_STATEMENT_TIMEOUT_MS);
    return calls.run(kind, holderOf(caller, options), (client) =>
      transact(client, beginning(caller, limited), work, options),
    );
  };

  return {
    readAsVisitor: <Row>(statement: Statement) =>
      visitors.send<StatementResult<Row>>(
        (client, done) => sendOpened(client, visitorOpenings, statement, done),
        () => callAlone<Row>(VISITOR, statement, { readOnly: true }),
      ),
    asCaller: <Row>(caller: Caller, statement: Statement, options: CallOptions = {}) =>
      options.rollback
        ? transactAlone(caller, ({ query }) => query<Row>(statement), options)
        : callAlone<Row>(caller, statement, options),
    transactAsCaller: (caller, work, options = {}) => transactAlone(caller, work, options),
    asService: <Row>(statement: Statement) =>
      retryAfterDeadlock(() =>
        calls.run('service', null, (client) => queryOpened<Row>(client, [asService], statement)),
      ),
    transactAsService: (work) => calls.run('service', null, (client) => transact(client, [BEGIN, asService], work)),
    listen: (channel, listener) => notifications.listen(channel, listener),
    holdLock: (name) => notifications.hold(name),
    isHearing: () => notifications.isHearing,
    countLimits: <Row>(statement: Statement) =>
      withClient(limits, (client) => client.query<Row & object>(asQueryConfig(statement))),
    asOwner: (statement) => withClient(owner, (client) => send(client, statement)),
    runJobQueue: (options) => run({ ...options, pgPool: poolForQueue(owner, notifications) }),
    usage() {
      return [
        ...calls.usage(),
        ...Object.entries({ limits, owner }).map(([name, { totalCount, idleCount, waitingCount }]) => ({
          pool: name,
          busy: totalCount - idleCount,
          idle: idleCount,
          waiting: waitingCount,
        })),
        { pool: 'shared_by_visitors', ...visitors.usage, waiting: 0 },
      ];
    },
    async close() {
      await Promise.all([visitors.close(), notifications.close(), ...[calls, limits, owner].map((one) => one.end())]);
    },
  };
}

/** The connections have the timeout of signed-in callers; a visitor's is shorter. */
function withTimeLimit(kind: CallKind, options: CallOptions): CallOptions {
  if (kind !== 'visitors') return options;
  return { ...options, settings: { statement_timeout: `${VISITOR_STATEMENT_TIMEOUT_MS}`, ...options.settings } };
}

/** Closes the connections of a pool that nobody uses. */
async function dropIdle(pool: Pool): Promise<void> {
  const reserved = await Promise.allSettled(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const one of reserved) if (one.status === 'fulfilled') one.value.release(true);
}
