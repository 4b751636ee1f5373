/** The first byte of a frame: the opcode and the FIN bit. The second: the length, below the mask bit. */
const OPCODE = 0x0f;
const FINAL = 0x80;
const LENGTH = 0x7f;
/** The first opcode of control frames, which may appear between the fragments of a message. */
const FIRST_CONTROL_OPCODE = 8;
const MASK_BYTES = 4;

/** Memory that the runtime and the WebSocket library need for each chunk and each fragment they keep, in bytes: estimates. */
const CHUNK_OVERHEAD = 512;
const FRAGMENT_OVERHEAD = 128;

/**
 * Reads the headers of a client's frames (RFC 6455, section 5.2) to bound incomplete messages. The WebSocket library
 * buffers a message until it is complete and reports nothing before.
 */
export class FrameMeter {
  #header: number[] = [];
  #payloadLeft = 0;
  #isPayload = false;
  #isMessage = false;
  #held = 0;
  #messageBytes = 0;
  #startedAt: number | null = null;

  /** Memory held by incomplete frames and messages, in bytes: their chunks and the overhead of each piece. */
  get heldBytes(): number {
    return this.#held;
  }

  /** Bytes of the incomplete message, as announced by its headers so far. */
  get messageBytes(): number {
    return this.#messageBytes;
  }

  /** When the incomplete frame or message began, in milliseconds; null where none is open. */
  get startedAt(): number | null {
    return this.#startedAt;
  }

  /** Reads the next bytes of the connection. `now` is in milliseconds. */
  take(chunk: Uint8Array, now: number): void {
    let fragments = 0;
    for (let at = 0; at < chunk.length; ) {
      at = this.#isPayload ? this.#skipPayload(chunk, at) : this.#readHeader(chunk, at);
      // The frame is complete, possibly with its header alone.
      if (!this.#isPayload || this.#payloadLeft > 0) continue;
      fragments = this.#endFrame() ? 0 : fragments + 1;
    }
    if (!this.#isMessage && !this.#isPayload && this.#header.length === 0) {
      this.#startedAt = null;
      this.#held = 0;
      return;
    }
    this.#startedAt ??= now;
    this.#held += chunk.length + CHUNK_OVERHEAD + fragments * FRAGMENT_OVERHEAD;
  }

  #skipPayload(chunk: Uint8Array, at: number): number {
    const skipped = Math.min(this.#payloadLeft, chunk.length - at);
    this.#payloadLeft -= skipped;
    return at + skipped;
  }

  #readHeader(chunk: Uint8Array, at: number): number {
    const header = this.#header;
    header.push(chunk[at] ?? 0);
    const short = (header[1] ?? 0) & LENGTH;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (header.length < 2 || header.length < 2 + lengthBytes + MASK_BYTES) return at + 1;
    const length = header
      .slice(2, 2 + lengthBytes)
      .reduce((sum, byte) => sum * 256 + byte, lengthBytes === 0 ? short : 0);
    if (!isControl(header)) {
      this.#isMessage = true;
      this.#messageBytes += length;
    }
    this.#payloadLeft = length;
    this.#isPayload = true;
    return at + 1;
  }

  /** Returns whether the frame ended a message. */
  #endFrame(): boolean {
    const [first = 0] = this.#header;
    const ended = !isControl(this.#header) && (first & FINAL) !== 0;
    this.#header = [];
    this.#isPayload = false;
    if (!ended) return false;
    this.#isMessage = false;
    this.#messageBytes = 0;
    this.#startedAt = null;
    this.#held = 0;
    return true;
  }
}

function isControl([first = 0]: readonly number[]): boolean {
  return (first & OPCODE) >= FIRST_CONTROL_OPCODE;
}
