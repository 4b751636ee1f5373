import { REALTIME_LIMITS } from '../limits.ts';
import { BinaryPayload, isRecord, JsonPayload, parseRecord } from '../wire/frames.ts';

/** A message from a client to the other clients of a topic. */
export interface UserBroadcast {
  readonly event: string;
  /** The JSON text as received, or bytes, which only sockets of protocol 2.0.0 receive. */
  readonly payload: string | Uint8Array;
}

/** A broadcast to the channels of its topic on every server. */
export interface Broadcast extends UserBroadcast {
  /** Unique. */
  readonly id: string;
  /** Without the wire prefix. */
  readonly topic: string;
  readonly isPrivate: boolean;
  readonly metaJson: string | null;
  /** The `Channel.address` of the sender; null for a broadcast from HTTP or SQL. */
  readonly from: string | null;
}

/** Reads the payload of a `broadcast` event. Returns the reason as a string where it is refused. */
export function readBroadcast(payload: unknown): UserBroadcast | string {
  if (!isRecord(payload) || typeof payload.event !== 'string' || payload.event.length > REALTIME_LIMITS.nameLength) {
    return 'MalformedBroadcast: A broadcast has an event and a payload';
  }
  if (isRecord(payload.meta) && 'persist' in payload.meta) {
    return 'PersistNotOffered: This server does not keep what clients broadcast';
  }
  const { event, payload: content = {} } = payload;
  if (content instanceof BinaryPayload) return { event, payload: content.bytes };
  if (content instanceof JsonPayload) return { event, payload: content.text };
  return { event, payload: JSON.stringify(content) };
}

/** Returns how many small broadcasts this one counts as, because every server receives all of it. */
export function weightOf({ payload }: Pick<UserBroadcast, 'payload'>): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(payload) / REALTIME_LIMITS.broadcastUnitBytes));
}

/** Serializes a broadcast for the other servers. */
export function writeBroadcast({ id, topic, isPrivate, event, payload, metaJson, from }: Broadcast): string {
  return JSON.stringify({
    id,
    topic,
    private: isPrivate,
    event,
    ...(typeof payload === 'string' ? { payload } : { bytes: Buffer.from(payload).toString('base64') }),
    ...(metaJson !== null && { meta: JSON.parse(metaJson) }),
    ...(from !== null && { from }),
  });
}

/** Parses what `writeBroadcast` and the trigger of `realtime.messages` write. Returns null for anything else. */
export function parseBroadcast(text: string): Broadcast | null {
  const parsed = parseRecord(text);
  if (parsed === null) return null;
  const { id, topic, event, payload, bytes, meta, from } = parsed;
  if (typeof id !== 'string' || typeof topic !== 'string' || typeof event !== 'string') return null;
  const content =
    typeof payload === 'string' ? payload : typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : null;
  if (content === null) return null;
  return {
    id,
    topic,
    isPrivate: parsed.private === true,
    event,
    payload: content,
    metaJson: meta === undefined || meta === null ? null : JSON.stringify(meta),
    from: typeof from === 'string' ? from : null,
  };
}
