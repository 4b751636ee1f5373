import type { Caller } from '#server/postgres/caller.ts';
import { Channel } from '#server/realtime/channels/channel.ts';
import { readJoinConfig } from '#server/realtime/channels/join-config.ts';

type ChannelOptions = ConstructorParameters<typeof Channel>[0];

interface TestChannelOptions {
  readonly id?: number;
  readonly topic?: string;
  /** The payload of the join. */
  readonly join?: Parameters<typeof readJoinConfig>[0];
  /** The account that joined; by default a visitor. */
  readonly userId?: string;
  /** Further claims of its token. */
  readonly claims?: Caller['claims'];
  /** What the test observes of the channel's frames. The others go nowhere. */
  readonly wire?: Partial<ChannelOptions['wire']>;
}

/** Creates a channel without a socket. */
export function createChannel({
  id = 1,
  topic = 'realtime:room',
  join = {},
  userId,
  claims,
  wire,
}: TestChannelOptions = {}): Channel {
  const config = readJoinConfig(join);
  if (typeof config === 'string') throw new Error(config);
  const caller: Caller =
    userId === undefined
      ? { role: 'anon', claims: { ...claims } }
      : { role: 'authenticated', claims: { sub: userId, ...claims } };
  return new Channel({
    id,
    serverId: 'server',
    topic,
    joinRef: '1',
    config,
    ids: [],
    identity: { caller, token: null },
    bytes: 0,
    checkedAt: 0,
    wire: { send: () => undefined, sendBroadcast: () => undefined, ...wire },
  });
}
