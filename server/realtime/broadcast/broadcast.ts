import { BinaryPayload, isRecord, JsonPayload, parseRecord } from './frames.ts';
import { REALTIME_LIMITS } from './limits.ts';

/** What a client says to the others of a topic. */
export interface UserBroadcast {
  readonly event: string;
  /** JSON text as it came, or bytes, which only sockets of protocol 2.0.0 are given. */
  readonly payload: string | Uint8Array;
}

/** A broadcast on its way to the channels of its topic, on every server. */
export interface Broadcast extends UserBroadcast {
  /** No two have the same. */
  readonly id: string;
  /** Without the prefix that it has on the wire. */
  readonly topic: string;
  readonly isPrivate: boolean;
  readonly metaJson: string | null;
  /** The channel that sent it, as `Channel.address` names it; null for one that came by HTTP or from SQL. */
  readonly from: string | null;
}

/** Reads the payload of a `broadcast` event; a string says why it is refused. */
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

/** For how many small broadcasts it counts: every server is sent all of it. */
export function weightOf({ payload }: Pick<UserBroadcast, 'payload'>): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(payload) / REALTIME_LIMITS.broadcastUnitBytes));
}

/** The text that carries a broadcast between servers. */
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

/** Reads what `writeBroadcast` and the trigger of `realtime.messages` write; null for anything else. */
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
