import type { Database } from '#server/postgres/database.ts';
import { REALTIME_LIMITS } from '../limits.ts';

/** The presence of one client in a topic. */
export interface Presence {
  readonly channelId: number;
  readonly topic: string;
  readonly isPrivate: boolean;
  readonly key: string;
  /** New for each change, so that clients can distinguish states. */
  readonly ref: string;
  readonly payloadJson: string;
}

const ALIVE = `seen_at > now() - ${REALTIME_LIMITS.serverSilenceMs} * interval '1 millisecond'`;

/** Bytes of one presence in its topic's state, `"key":{"metas":[{…,"phx_ref":"…"}]}`, rounded up. */
const STATE_BYTES = '(octet_length(to_json(key)::text) + octet_length(payload::text) + 80)';

/**
 * Adds or replaces a presence where the topic has room. Returns whether it had. Concurrent additions do not see each
 * other, so a topic can exceed its limit slightly. `returning` skips the check for presences that existed before.
 */
export async function addPresence(
  database: Database,
  serverId: string,
  presence: Presence,
  { returning }: { readonly returning: boolean },
): Promise<boolean> {
  const { channelId, topic, isPrivate, key, ref, payloadJson } = presence;
  const { rows } = await database.asService<{ taken: boolean }>({
    name: 'realtime_add_presence',
    text: `with coming as (
        select $4::text as topic, $5::boolean as private, $6::text as key, $7::text as ref, $8::jsonb as payload
      ), room as (
        select $3 or (
          select count(*) < ${REALTIME_LIMITS.presencesPerTopic}
              and coalesce(sum(${STATE_BYTES}), 0) + (select ${STATE_BYTES} from coming) <= ${REALTIME_LIMITS.presenceStateBytes}
            from realtime.presences join realtime.servers on servers.id = server_id
            where topic = $4 and private = $5 and (server_id, channel_id) <> ($1, $2) and ${ALIVE}
        ) as taken
      ), server as (
        insert into realtime.servers (id) select $1 from room where taken
          on conflict (id) do update set seen_at = now() returning id
      ), added as (
        insert into realtime.presences as present (server_id, channel_id, topic, private, key, ref, payload)
          select id, $2, topic, private, key, ref, payload from server, coming
          on conflict (server_id, channel_id) do update set ref = excluded.ref, payload = excluded.payload
          where present.ref <> excluded.ref
      )
      select taken from room`,
    values: [serverId, channelId, returning, topic, isPrivate, key, ref, payloadJson],
  });
  return rows[0]?.taken === true;
}

export async function removePresence(database: Database, serverId: string, channelId: number): Promise<void> {
  await database.asService({
    name: 'realtime_remove_presence',
    text: 'delete from realtime.presences where server_id = $1 and channel_id = $2',
    values: [serverId, channelId],
  });
}

/**
 * Returns a topic's state as JSON text in the protocol's form: `{key: {metas: [{phx_ref, …}]}}`. It can exceed the
 * limit only after several servers restored their presences at once; the last ones are then left out.
 */
export async function presenceState(
  database: Database,
  { name, isPrivate }: { readonly name: string; readonly isPrivate: boolean },
): Promise<string> {
  const { rows } = await database.asService<{ state: string }>({
    name: 'realtime_presence_state',
    text: `with weighed as (
        select key, payload, ref, server_id, channel_id,
            sum(${STATE_BYTES}) over (order by key, server_id, channel_id) as bytes
          from realtime.presences join realtime.servers on servers.id = server_id
          where topic = $1 and private = $2 and ${ALIVE}
          order by key, server_id, channel_id limit ${REALTIME_LIMITS.presencesPerTopic}
      ), fitting as (
        select * from weighed where bytes <= ${REALTIME_LIMITS.presenceStateBytes}
      )
      select coalesce(jsonb_object_agg(key, metas), '{}')::text as state from (
        select key, jsonb_build_object('metas',
            jsonb_agg(payload || jsonb_build_object('phx_ref', ref) order by server_id, channel_id)) as metas
          from fitting group by key
      ) as present`,
    values: [name, isPrivate],
  });
  return rows[0]?.state ?? '{}';
}

/** Records the server's heartbeat and deletes servers without one. Returns whether this server was known. */
export async function showServer(database: Database, serverId: string): Promise<boolean> {
  const { rows } = await database.asService<{ known: boolean }>({
    name: 'realtime_show_server',
    text: `with dead as (delete from realtime.servers where not (${ALIVE}) and id <> $1),
        alive as (update realtime.servers set seen_at = now() where id = $1 returning id)
      select exists (select from alive) as known`,
    values: [serverId],
  });
  return rows[0]?.known === true;
}

export async function endServer(database: Database, serverId: string): Promise<void> {
  await database.asService({
    name: 'realtime_end_server',
    text: 'delete from realtime.servers where id = $1',
    values: [serverId],
  });
}
