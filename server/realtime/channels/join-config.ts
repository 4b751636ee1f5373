import { type ReplayRequest, readReplayRequest } from '../broadcast/replay.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import { isRecord } from '../wire/frames.ts';

export type ChangeEvent = 'INSERT' | 'UPDATE' | 'DELETE' | '*';

/** A requested subscription to database changes. */
export interface Binding {
  readonly event: ChangeEvent;
  /** `*` matches every published schema; null where neither schema nor table is given. */
  readonly schema: string | null;
  /** `*` matches every published table. */
  readonly table: string;
  readonly filter: string | null;
  /** The columns that the client selected; null for all that it may read. */
  readonly select: readonly string[] | null;
  /** The client's own request, returned in the reply: the client compares each field. */
  readonly echo: Readonly<Record<string, unknown>>;
}

export interface JoinConfig {
  readonly bindings: readonly Binding[];
  readonly isPrivate: boolean;
  readonly hearsItself: boolean;
  readonly acknowledges: boolean;
  readonly replay: ReplayRequest | null;
  /** The client requests a message once broadcasts from the database reach it. */
  readonly announcesReady: boolean;
  readonly wantsPresence: boolean;
  /** Null where the server is to generate one. */
  readonly presenceKey: string | null;
  /** The client wants the reply after its subscriptions are active, and an error where they are refused. */
  readonly waits: boolean;
  readonly accessToken: string | null;
}

/**
 * Reads the payload of a join. Harmless unknown or malformed parts are ignored. Returns the reason as a string where
 * the join is refused.
 */
export function readJoinConfig(payload: unknown): JoinConfig | string {
  const { config: given, access_token: accessToken } = isRecord(payload) ? payload : {};
  const config = isRecord(given) ? given : {};
  const asked = Array.isArray(config.postgres_changes) ? config.postgres_changes.filter((entry) => entry !== null) : [];
  if (asked.length > REALTIME_LIMITS.bindingsPerChannel) {
    return `TooManyPostgresChanges: A channel takes ${REALTIME_LIMITS.bindingsPerChannel} subscriptions`;
  }
  const bindings: Binding[] = [];
  for (const entry of asked) {
    const binding = readBinding(entry);
    if (typeof binding === 'string') return binding;
    bindings.push(binding);
  }
  const presence = isRecord(config.presence) ? config.presence : {};
  const broadcast = isRecord(config.broadcast) ? config.broadcast : {};
  const isPrivate = isTrue(config.private);
  const replay = readReplayRequest(broadcast.replay, isPrivate);
  if (typeof replay === 'string') return replay;
  const options = isRecord(config.postgres_changes_options) ? config.postgres_changes_options : {};
  return {
    bindings,
    isPrivate,
    hearsItself: isTrue(broadcast.self),
    acknowledges: isTrue(broadcast.ack),
    replay,
    announcesReady: isTrue(broadcast.replication_ready),
    wantsPresence: isTrue(presence.enabled),
    presenceKey: isText(presence.key, REALTIME_LIMITS.nameLength) && presence.key !== '' ? presence.key : null,
    waits: isTrue(options.wait),
    accessToken: typeof accessToken === 'string' ? accessToken : null,
  };
}

function readBinding(entry: unknown): Binding | string {
  const refused =
    'MalformedSubscription: Each of postgres_changes must be an object with event, schema, table and filter';
  if (!isRecord(entry)) return refused;
  const { event = '*', schema, table, filter, select } = entry;
  const { nameLength, filterLength } = REALTIME_LIMITS;
  if (!isAbsentOrText(schema, nameLength) || !isAbsentOrText(table, nameLength)) return refused;
  if (!isAbsentOrText(filter, filterLength)) return refused;
  const upper = typeof event === 'string' ? event.toUpperCase() : '';
  if (upper !== '*' && upper !== 'INSERT' && upper !== 'UPDATE' && upper !== 'DELETE') return refused;
  if (select !== undefined && select !== null && !isListOfNames(select)) return refused;
  const echo: Record<string, unknown> = {};
  for (const key of ['event', 'schema', 'table', 'filter', 'select']) if (key in entry) echo[key] = entry[key];
  return {
    event: upper,
    schema: schema || (table ? 'public' : null),
    table: table || '*',
    filter: filter || null,
    select: select ?? null,
    echo,
  };
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function isAbsentOrText(value: unknown, length: number): value is string | null | undefined {
  return value === undefined || value === null || isText(value, length);
}

function isListOfNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= 200 && value.every((name) => isText(name, REALTIME_LIMITS.nameLength));
}

/** Text that PostgreSQL can store: without NUL and without unpaired surrogates. */
function isText(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length <= length && value.isWellFormed() && !value.includes('\0');
}
