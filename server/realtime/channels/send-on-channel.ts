import { randomUUID } from 'node:crypto';
import { readBroadcast, weightOf } from './broadcast.ts';
import type { Channel } from './channel.ts';
import { isRecord } from './frames.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { PRIVATE_ONLY } from './realtime-errors.ts';

export interface SpeechContext extends Pick<RealtimeContext, 'relay' | 'presences' | 'publicChannels'> {
  /** Counts something said, as so many; false where the address has said too much. */
  readonly mayTell: (weight: number) => boolean;
}

/** What the client is answered: that it was done, nothing at all, or why it was not done. */
export type SpeechOutcome = 'acknowledged' | 'silent' | { readonly refused: string };

const NO_ROOM = refused('PresenceLimitReached: Too many are present on this channel');
const TOO_FAST = refused('MessageRateLimitReached: Too many messages per second');

/** Passes on what a client says to the others of its channel. What it may not say is passed over in silence. */
export async function passOnBroadcast(
  context: SpeechContext,
  channel: Channel,
  payload: unknown,
): Promise<SpeechOutcome> {
  const said = readBroadcast(payload);
  if (typeof said === 'string') return refused(said);
  const { name: topic, isPrivate, address } = channel;
  if (!isPrivate && !context.publicChannels) return refused(PRIVATE_ONLY);
  if (!channel.access.broadcast.write) return 'silent';
  if (!context.mayTell(weightOf(said))) return TOO_FAST;
  await context.relay.send({ ...said, id: randomUUID(), topic, isPrivate, metaJson: null, from: address });
  return channel.acknowledges ? 'acknowledged' : 'silent';
}

/** Makes a client present with what it says, or absent. One that never asked who is there is told from now on. */
export async function changePresence(
  context: SpeechContext,
  channel: Channel,
  payload: unknown,
): Promise<SpeechOutcome> {
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
  if (!context.mayTell(1)) return TOO_FAST;
  if (event === 'untrack') {
    await context.presences.untrack(channel);
    return 'acknowledged';
  }
  if (!(await context.presences.track(channel, stateJson))) return NO_ROOM;
  if (!channel.wantsPresence && channel.access.presence.read) {
    channel.wantsPresence = true;
    await context.presences.tellState(channel);
  }
  return 'acknowledged';
}

function refused(reason: string): SpeechOutcome {
  return { refused: reason };
}
