import { encodeFrame, type ProtocolVersion } from '../wire/frames.ts';
import { type Broadcast, weightOf } from './broadcast.ts';

const USER_BROADCAST = 4;
const BINARY_ENCODING = 0;
const JSON_ENCODING = 1;

/** The frames of one broadcast. Each is encoded once for all sockets it goes to. */
export class BroadcastFrames {
  #broadcast: Broadcast;
  #topic: string;
  #text: Partial<Record<ProtocolVersion, string>> = {};
  #binary: Uint8Array | null | undefined;

  /** `topic` is in its wire form, with the prefix. */
  constructor(topic: string, broadcast: Broadcast) {
    this.#topic = topic;
    this.#broadcast = broadcast;
  }

  /** The unique id of the broadcast. */
  get id(): string {
    return this.#broadcast.id;
  }

  /** How many small broadcasts it counts as. */
  get weight(): number {
    return weightOf(this.#broadcast);
  }

  /**
   * Returns the frame for a socket of this protocol version, or null where the version cannot carry it: 1.0.0 has no
   * binary payloads.
   */
  of(version: ProtocolVersion): string | Uint8Array | null {
    if (version === '2.0.0') {
      this.#binary ??= encodeUserBroadcast(this.#topic, this.#broadcast);
      if (this.#binary !== null) return this.#binary;
    }
    const { event, payload, metaJson } = this.#broadcast;
    if (typeof payload !== 'string') return null;
    const meta = metaJson === null ? '' : `,"meta":${metaJson}`;
    this.#text[version] ??= encodeFrame(
      version,
      { joinRef: null, ref: null, topic: this.#topic, event: 'broadcast' },
      `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payload}${meta}}`,
    );
    return this.#text[version];
  }
}

/**
 * Encodes `04 topicLen eventLen metaLen encoding | topic event meta | payload`. Returns null where a length exceeds one
 * byte.
 */
function encodeUserBroadcast(topic: string, { event, payload, metaJson }: Broadcast): Uint8Array | null {
  const names = [Buffer.from(topic), Buffer.from(event), Buffer.from(metaJson ?? '')];
  if (names.some(({ length }) => length > 255)) return null;
  const encoding = typeof payload === 'string' ? JSON_ENCODING : BINARY_ENCODING;
  const header = Buffer.from([USER_BROADCAST, ...names.map(({ length }) => length), encoding]);
  return Buffer.concat([header, ...names, typeof payload === 'string' ? Buffer.from(payload) : payload]);
}
