import { randomUUID } from 'node:crypto';
import { readBroadcast, weightOf } from '../broadcast/broadcast.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { isRecord } from '../wire/frames.ts';
import { PRIVATE_ONLY } from '../wire/realtime-errors.ts';
import type { Channel } from './channel.ts';

export interface ChannelSendContext extends Pick<RealtimeContext, 'relay' | 'presences' | 'publicChannels'> {
  /** Takes from the address's message allowance; false where it is exhausted. */
  readonly mayReport: (weight: number) => boolean;
}

/** The reply to the client: acknowledged, none, or an error with the reason. */
export type ChannelSendOutcome = 'acknowledged' | 'silent' | { readonly refused: string };

const NO_ROOM = refused('PresenceLimitReached: Too many are present on this channel');
const TOO_FAST = refused('MessageRateLimitReached: Too many messages per second');

/**
 * Relays a client's broadcast to its topic. A broadcast that the client is not allowed to send is dropped without
 * notice.
 */
export async function passOnBroadcast(
  context: ChannelSendContext,
  channel: Channel,
  payload: unknown,
): Promise<ChannelSendOutcome> {
  const said = readBroadcast(payload);
  if (typeof said === 'string') return refused(said);
  const { name: topic, isPrivate, address } = channel;
  if (!isPrivate && !context.publicChannels) return refused(PRIVATE_ONLY);
  if (!channel.access.broadcast.write) return 'silent';
  if (!context.mayReport(weightOf(said))) return TOO_FAST;
  const broadcast = { ...said, id: randomUUID(), topic, isPrivate, metaJson: null, from: address };
  if (!(await context.relay.send([broadcast]))) return TOO_FAST;
  return channel.acknowledges ? 'acknowledged' : 'silent';
}

/**
 * Tracks or untracks the client's presence. A client that did not request presence when it joined receives it from now
 * on.
 */
export async function changePresence(
  context: ChannelSendContext,
  channel: Channel,
  payload: unknown,
): Promise<ChannelSendOutcome> {
  const { event, payload: state = {} } = isRecord(payload) ? payload : {};
  if (event !== 'track' && event !== 'untrack') return refused('UnknownPresenceEvent: It is track or untrack');
  if (!isRecord(state)) return refused('Presence track payload must be a map');
  const stateJson = JSON.stringify(state);
  if (Buffer.byteLength(stateJson) > REALTIME_LIMITS.presenceBytes) {
    return refused(`PresencePayloadTooLarge: At most ${REALTIME_LIMITS.presenceBytes} bytes`);
  }
  if (!channel.isPrivate && !context.publicChannels) return refused(PRIVATE_ONLY);
  if (!channel.access.presence.write) {
    return refused('Unauthorized: You do not have permissions to write presence on this Channel topic');
  }
  if (!context.mayReport(1)) return TOO_FAST;
  if (event === 'untrack') {
    await context.presences.untrack(channel);
    return 'acknowledged';
  }
  if (!(await context.presences.track(channel, stateJson))) return NO_ROOM;
  if (!channel.wantsPresence && channel.access.presence.read) {
    channel.wantsPresence = true;
    await context.presences.sendState(channel);
  }
  return 'acknowledged';
}

function refused(reason: string): ChannelSendOutcome {
  return { refused: reason };
}
