/** The prefix of every topic on the wire. */
export const TOPIC_PREFIX = 'realtime:';

/** The two serializers of the Phoenix protocol: `1.0.0` objects and `2.0.0` arrays. */
export type ProtocolVersion = '1.0.0' | '2.0.0';

/** The client's reference of a push, returned in the reply. */
export type Ref = string | null;

export interface ClientFrame {
  readonly joinRef: Ref;
  readonly ref: Ref;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

/** The bytes of a binary frame, distinct from any JSON value. */
export class BinaryPayload {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** The JSON text of a binary frame, validated once and relayed unchanged. */
export class JsonPayload {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The kind byte of a client's binary broadcast in version 2.0.0, and the encoding byte of a JSON payload. */
const USER_BROADCAST_PUSH = 3;
const JSON_ENCODING = 1;

/** Decodes a client's frame. Returns null where it is malformed; never throws. */
export function decodeFrame(data: string | ArrayBuffer, version: ProtocolVersion): ClientFrame | null {
  if (typeof data !== 'string') return version === '2.0.0' ? decodeBroadcastPush(new Uint8Array(data)) : null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return null;
  }
  if (version === '2.0.0') {
    if (!Array.isArray(parsed) || parsed.length !== 5) return null;
    const [joinRef, ref, topic, event, payload]: unknown[] = parsed;
    return frameOf(joinRef, ref, topic, event, payload);
  }
  if (!isRecord(parsed)) return null;
  return frameOf(parsed.join_ref ?? null, parsed.ref ?? null, parsed.topic, parsed.event, parsed.payload);
}

/** Encodes a frame. `payloadJson` is JSON text, so that a payload for many sockets is serialized once. */
export function encodeFrame(
  version: ProtocolVersion,
  { joinRef, ref, topic, event }: { joinRef: Ref; ref: Ref; topic: string; event: string },
  payloadJson: string,
): string {
  const [j, r, t, e] = [JSON.stringify(joinRef), JSON.stringify(ref), JSON.stringify(topic), JSON.stringify(event)];
  return version === '2.0.0'
    ? `[${j},${r},${t},${e},${payloadJson}]`
    : `{"topic":${t},"event":${e},"payload":${payloadJson},"ref":${r},"join_ref":${j}}`;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON text of an object, the format between servers. Returns null for anything else. */
export function parseRecord(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function frameOf(joinRef: unknown, ref: unknown, topic: unknown, event: unknown, payload: unknown): ClientFrame | null {
  if (!isRef(joinRef) || !isRef(ref) || typeof topic !== 'string' || typeof event !== 'string') return null;
  return { joinRef, ref, topic, event, payload };
}

function isRef(value: unknown): value is Ref {
  return value === null || (typeof value === 'string' && value.length <= 64);
}

/** `03 joinRefLen refLen topicLen eventLen metaLen encoding | joinRef ref topic event meta | payload`. */
function decodeBroadcastPush(bytes: Uint8Array): ClientFrame | null {
  const [kind, joinRefLength = 0, refLength = 0, topicLength = 0, eventLength = 0, metaLength = 0, encoding] = bytes;
  const header = 7;
  if (kind !== USER_BROADCAST_PUSH) return null;
  if (bytes.length < header + joinRefLength + refLength + topicLength + eventLength + metaLength) return null;
  let offset = header;
  const take = (length: number): string => {
    const text = new TextDecoder().decode(bytes.subarray(offset, offset + length));
    offset += length;
    return text;
  };
  const joinRef = take(joinRefLength);
  const ref = take(refLength);
  const topic = take(topicLength);
  const event = take(eventLength);
  const meta = take(metaLength);
  const content = bytes.subarray(offset);
  try {
    const payload = {
      event,
      payload: encoding === JSON_ENCODING ? jsonPayload(content) : new BinaryPayload(content.slice()),
      ...(meta !== '' && { meta: JSON.parse(meta) }),
    };
    return frameOf(joinRef === '' ? null : joinRef, ref === '' ? null : ref, topic, 'broadcast', payload);
  } catch {
    return null;
  }
}

/** @throws where the bytes are not JSON. */
function jsonPayload(content: Uint8Array): JsonPayload {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  JSON.parse(text);
  return new JsonPayload(text);
}
