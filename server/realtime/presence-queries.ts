import type { Database } from '#server/postgres/database.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { Presence } from './presences.ts';

const ALIVE = `seen_at > now() - ${REALTIME_LIMITS.serverSilenceMs} * interval '1 millisecond'`;

export async function addPresence(database: Database, serverId: string, presence: Presence): Promise<void> {
  const { channelId, topic, isPrivate, key, ref, payloadJson } = presence;
  await database.asService({
    name: 'realtime_add_presence',
    text: `with server as (
        insert into realtime.servers (id) values ($1) on conflict (id) do update set seen_at = now() returning id
      )
      insert into realtime.presences as present (server_id, channel_id, topic, private, key, ref, payload)
        select id, $2, $3, $4, $5, $6, $7::jsonb from server
        on conflict (server_id, channel_id) do update set ref = excluded.ref, payload = excluded.payload
        where present.ref <> excluded.ref`,
    values: [serverId, channelId, topic, isPrivate, key, ref, payloadJson],
  });
}

export async function removePresence(database: Database, serverId: string, channelId: number): Promise<void> {
  await database.asService({
    name: 'realtime_remove_presence',
    text: 'delete from realtime.presences where server_id = $1 and channel_id = $2',
    values: [serverId, channelId],
  });
}

/** The state of a topic as the protocol has it, JSON text: `{key: {metas: [{phx_ref, …}]}}`. */
export async function presenceState(
  database: Database,
  { name, isPrivate }: { readonly name: string; readonly isPrivate: boolean },
): Promise<string> {
  const { rows } = await database.asService<{ state: string }>({
    name: 'realtime_presence_state',
    text: `with told as (
        select key, payload, ref, server_id, channel_id
          from realtime.presences join realtime.servers on servers.id = server_id
          where topic = $1 and private = $2 and ${ALIVE}
          order by key, server_id, channel_id limit ${REALTIME_LIMITS.presencesTold}
      )
      select coalesce(jsonb_object_agg(key, metas), '{}')::text as state from (
        select key, jsonb_build_object('metas',
            jsonb_agg(payload || jsonb_build_object('phx_ref', ref) order by server_id, channel_id)) as metas
          from told group by key
      ) as present`,
    values: [name, isPrivate],
  });
  return rows[0]?.state ?? '{}';
}

/** Writes down that the server lives and forgets those that do not; resolves with whether it was known. */
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
