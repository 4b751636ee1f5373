import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';

interface Rights {
  readonly read: boolean;
  readonly write: boolean;
}

/** What a caller may do on a channel. */
export interface ChannelAccess {
  readonly broadcast: Rights;
  readonly presence: Rights;
}

const BOTH: Rights = { read: true, write: true };
const OPEN: ChannelAccess = { broadcast: BOTH, presence: BOTH };

/**
 * Returns what a caller may do on a channel. Public channels are open to everyone; on private ones the policies of
 * `realtime.messages` decide, as the caller.
 */
export async function accessTo(
  database: Database,
  { role, claims }: Caller,
  channel: { readonly name: string; readonly isPrivate: boolean },
): Promise<ChannelAccess> {
  if (!channel.isPrivate) return OPEN;
  const { rows } = await database.asService<{ access: ChannelAccess }>({
    name: 'realtime_access',
    text: 'select realtime.access_to($1, $2, $3) as access',
    values: [channel.name, role, JSON.stringify(claims)],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('The database returned no access for a channel.');
  return row.access;
}
