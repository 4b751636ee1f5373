import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import { isRecord } from '../wire/frames.ts';
import type { Broadcast } from './broadcast.ts';

/**
 * Which earlier broadcasts a client requests when it joins: the newest `limit` since `since`, up to `replayedBytes`.
 */
export interface ReplayRequest {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly limit: number;
}

const REFUSED = 'UnableToReplayMessages';
/** The latest time a Date can hold, in milliseconds since the epoch (ECMA-262, "Time Values and Time Range"). */
const LAST_MOMENT = 8.64e15;

/**
 * Reads `config.broadcast.replay` of a join. Returns null where none is requested, or the reason as a string where the
 * request is refused.
 */
export function readReplayRequest(value: unknown, isPrivate: boolean): ReplayRequest | null | string {
  if (value === undefined || value === null) return null;
  if (!isPrivate) return `${REFUSED}: Replay is not allowed for public channels`;
  const { replayedBroadcasts: most } = REALTIME_LIMITS;
  const { since, limit = most } = isRecord(value) ? value : {};
  if (!isWhole(since) || since < 0 || since > LAST_MOMENT || !isWhole(limit)) {
    return `${REFUSED}: Replay params are not valid`;
  }
  return { since, limit: Math.max(1, Math.min(limit, most)) };
}

/**
 * Returns broadcasts of a private topic that were stored in the database, oldest first, as far as the policies of
 * `realtime.messages` let the caller read each one.
 */
export async function readEarlierBroadcasts(
  database: Database,
  caller: Caller,
  topic: string,
  { since, limit }: ReplayRequest,
): Promise<Broadcast[]> {
  const { rows } = await database.asCaller<{ id: string; event: string; payload: string; bytes: Buffer | null }>(
    caller,
    {
      name: 'realtime_replay',
      text: `with newest as (
          select id, coalesce(event, '') as event, coalesce(payload, '{}')::text as payload, binary_payload as bytes,
              inserted_at
            from realtime.messages
            where private and extension = 'broadcast' and topic = $1
              and inserted_at >= to_timestamp($2::double precision / 1000) at time zone 'UTC'
            order by inserted_at desc limit $3
        ), measured as (
          select *, sum(coalesce(octet_length(bytes), octet_length(payload))) over (order by inserted_at desc, id) as size
            from newest
        )
        select id, event, payload, bytes from measured where size <= ${REALTIME_LIMITS.replayedBytes}
          order by inserted_at, id desc`,
      values: [topic, since, limit],
    },
    // `holder: null`, as in subscription.ts: other joins wait behind this one.
    { readOnly: true, holder: null, settings: { 'realtime.topic': topic } },
  );
  return rows.map(({ id, event, payload, bytes }) => ({
    id,
    topic,
    isPrivate: true,
    event,
    payload: bytes ?? payload,
    metaJson: JSON.stringify({ id, replayed: true }),
    from: null,
  }));
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
