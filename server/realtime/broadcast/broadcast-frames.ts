import { type Broadcast, weightOf } from './broadcast.ts';
import { encodeFrame, type ProtocolVersion } from './frames.ts';

const USER_BROADCAST = 4;
const BINARY_ENCODING = 0;
const JSON_ENCODING = 1;

/** The frames of one broadcast, each written once for all the sockets that it goes to. */
export class BroadcastFrames {
  #broadcast: Broadcast;
  #topic: string;
  #text: Partial<Record<ProtocolVersion, string>> = {};
  #binary: Uint8Array | null | undefined;

  /** `topic` as it stands on the wire, with its prefix. */
  constructor(topic: string, broadcast: Broadcast) {
    this.#topic = topic;
    this.#broadcast = broadcast;
  }

  /** Of the broadcast: no two have the same. */
  get id(): string {
    return this.#broadcast.id;
  }

  /** For how many small broadcasts it counts. */
  get weight(): number {
    return weightOf(this.#broadcast);
  }

  /** What a socket of this version is sent; null where the version has no form for it: 1.0.0 carries no bytes. */
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

/** `04 topicLen eventLen metaLen encoding | topic event meta | payload`; null where a length is over one byte. */
function encodeUserBroadcast(topic: string, { event, payload, metaJson }: Broadcast): Uint8Array | null {
  const names = [Buffer.from(topic), Buffer.from(event), Buffer.from(metaJson ?? '')];
  if (names.some(({ length }) => length > 255)) return null;
  const encoding = typeof payload === 'string' ? JSON_ENCODING : BINARY_ENCODING;
  const header = Buffer.from([USER_BROADCAST, ...names.map(({ length }) => length), encoding]);
  return Buffer.concat([header, ...names, typeof payload === 'string' ? Buffer.from(payload) : payload]);
}
