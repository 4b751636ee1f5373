import { Pool } from 'pg';
import { FairShares } from '#server/fair-shares.ts';
import type { ServiceLog } from '#server/log.ts';
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

/** The only way to the database. Everything that a caller asks runs as that caller; `asService` is the one bypass. */
export interface Database {
  /** One read as a visitor without claims: one statement, one round trip, on connections that are `anon` already. */
  readAsVisitor<Row = Record<string, unknown>>(statement: Statement): Promise<StatementResult<Row>>;
  /**
   * One statement in a transaction as the caller; role and claims, the statement and the commit leave in one flight.
   * Rejects with `ShareUsedUp` where its holder has had a full share of the connections for too long.
   */
  asCaller<Row = Record<string, unknown>>(
    caller: Caller,
    statement: Statement,
    options?: CallOptions,
  ): Promise<StatementResult<Row>>;
  /** Several statements in one such transaction: committed when `work` resolves, rolled back when it throws. */
  transactAsCaller<Result>(
    caller: Caller,
    work: (transaction: Transaction) => Promise<Result>,
    options?: CallOptions,
  ): Promise<Result>;
  /** One statement that passes row-level security. */
  asService<Row = Record<string, unknown>>(statement: Statement): Promise<StatementResult<Row>>;
  /** Several statements in one transaction that pass row-level security. */
  transactAsService<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Listens to a notification channel of our own naming; the returned function stops it. */
  listen(channel: string, listener: NotificationListener): Promise<() => void>;
  /** Whether listeners have been told of everything that was committed until about 3 s ago. */
  isHearing(): boolean;
  /**
   * Connections of the rate limits alone. A transaction that asked for a second connection of the pool its own came
   * from would wait for others like it, and they for it; counting never waits for a transaction.
   */
  readonly limitsPool: Pool;
  /** Connections as the account that migrated, which owns the job queue. */
  readonly ownerPool: Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly address: PostgresAddress;
  readonly log: ServiceLog;
  /** Weak tag codes may be claimed: only a development server says so. */
  readonly development?: boolean;
  /** How many items one account may have; `ITEMS_PER_ACCOUNT` without a word. */
  readonly itemsPerAccount?: number;
  /** Connections that run the transactions of those who signed in; `CALLER_CONNECTIONS` without a word. */
  readonly callerConnections?: number;
}

const ITEMS_PER_ACCOUNT = 1_000;
const VISITOR_STATEMENT_TIMEOUT_MS = 1_000;
const CALLER_STATEMENT_TIMEOUT_MS = 8_000;
const SERVICE_STATEMENT_TIMEOUT_MS = 15_000;
/** How long a read may take among the quick ones; where it needs longer it is run anew, by itself. */
const QUICK_STATEMENT_TIMEOUT_MS = 100;
/** How much longer than the longest statement an answer may take to come, before its connection counts as dead. */
const SILENCE_MS = 2_000;
/** How long a call waits for a connection before it fails. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** Connections that run the transactions of those who signed in. Each of the other pools is smaller. */
const CALLER_CONNECTIONS = 10;
/** What visitors ask has so many for each of them, and so have the slow reads of those who signed in. */
const halfOf = (connections: number): number => Math.ceil(connections / 2);
/** What one holder may have of them at once: with more, three accounts would leave nothing to anybody else. */
const shareOf = (connections: number): number => Math.ceil(connections / 3);
/** How the connections of callers are shared out, for the operator's page on limits. */
export const CALLER_SHARES = {
  connections: CALLER_CONNECTIONS,
  perAccount: shareOf(CALLER_CONNECTIONS),
  visitorConnections: halfOf(CALLER_CONNECTIONS),
  perVisitingAddress: shareOf(halfOf(CALLER_CONNECTIONS)),
} as const;
/** Connections that run the service's own statements and transactions. */
export const SERVICE_CONNECTIONS = 6;

/** Opens the pools lazily: nothing connects before the first call. */
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
    // A connection that breaks while idle is dropped by the pool; without a listener it would end the process.
    created.on('error', (error) => {
      if (!created.ending) log.warn({ err: error }, 'An idle database connection was lost.');
    });
    // The same for one that breaks in use: whoever uses it is told by the statement that fails.
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

  // What a transaction of a visitor's own would say, said once for each connection.
  const visitorSettings = [
    `-c request.jwt.claims=${JSON.stringify(VISITOR.claims)}`,
    '-c default_transaction_read_only=on',
  ];
  const visitors = new Lane(connection('anon', QUICK_STATEMENT_TIMEOUT_MS, visitorSettings), {
    connections: 4,
    full: 64,
  });
  // Whatever else visitors ask has connections of its own, so that it leaves some to those who signed in.
  const visiting = shared(
    { ...connection('anon', VISITOR_STATEMENT_TIMEOUT_MS), pipeline: true },
    halfOf(callerConnections),
  );
  // A caller's connection is `anon` until its transaction says otherwise, so that a lost BEGIN can never widen a right.
  // The service's own calls of the data come here too, and bring its longer time limit along.
  const callerConnection = {
    ...connection('anon', CALLER_STATEMENT_TIMEOUT_MS),
    silentAfterMs: SERVICE_STATEMENT_TIMEOUT_MS + SILENCE_MS,
    pipeline: true,
  };
  const callers = shared(callerConnection, callerConnections);
  // Of those who signed in, reads that are known to be quick share a few connections, and reads that turned out to be
  // slow have a few to themselves, so that they hold up nothing but each other.
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
  // Asks by itself, every second, whether its other end is there.
  const listening = { ...connection(undefined, 0), application_name: 'reunite notifications' };
  const notifications = new Notifications(listening, log);

  return {
    readAsVisitor: <Row>(statement: Statement) =>
      visitors.send<StatementResult<Row>>(
        (client, done) => void client.query<Row & object>(asQueryConfig(statement), done),
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
      // A call that brings a time limit along has that and no other.
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
    limitsPool: limits,
    ownerPool: owner,
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

/** One statement as the caller, on a connection that nobody else uses meanwhile. */
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
