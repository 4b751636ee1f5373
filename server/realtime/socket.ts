import { HeldShare } from '#server/limits/memory/held-bytes.ts';
import { TokenBucket } from '#server/limits/token-bucket.ts';
import type { Channel, ChannelIdentity } from './channels/channel.ts';
import { SocketChannels } from './channels/socket-channels.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { FrameMeter } from './wire/frame-meter.ts';
import { type ClientFrame, decodeFrame, encodeFrame, type ProtocolVersion } from './wire/frames.ts';

/** The transport of a socket. */
export interface Wire {
  send(message: string | Uint8Array): void;
  close(code: number, reason: string): void;
  /** Closes the connection without a close frame. */
  terminate(): void;
  /** Bytes that the client has not read yet. */
  bufferedBytes(): number;
}

export interface SocketOptions {
  readonly context: RealtimeContext;
  readonly wire: Wire;
  readonly version: ProtocolVersion;
  readonly clientAddress: string;
  /** The caller of the handshake's key. A channel that joins without a token acts as this caller. */
  readonly identity: ChannelIdentity;
  /** Called when the connection has ended, whichever side ended it. */
  readonly onGone: () => void;
}

/** Memory per character of a waiting message, and of a message while it is parsed and served, in bytes: estimates. */
const WAITING_FACTOR = 2;
const PARSED_FACTOR = 16;

/** One client's connection. Enforces its limits and serves its frames in sequence. */
export class Socket {
  readonly clientAddress: string;
  #context: RealtimeContext;
  #wire: Wire;
  #onGone: () => void;
  #version: ProtocolVersion;
  #channels: SocketChannels;
  #frames: TokenBucket;
  #heardAt: number;
  #waiting = 0;
  #waitingBytes = 0;
  #meter = new FrameMeter();
  #incoming: HeldShare;
  #buffered: HeldShare;
  #work: Promise<void> = Promise.resolve();
  #closed = false;
  #gone = false;
  #resolveGone: () => void = () => undefined;
  /** Resolves when the connection has ended. */
  readonly gone = new Promise<void>((resolve) => {
    this.#resolveGone = resolve;
  });

  constructor({ context, wire, version, clientAddress, identity, onGone }: SocketOptions) {
    const now = context.now();
    this.clientAddress = clientAddress;
    this.#context = context;
    this.#wire = wire;
    this.#onGone = onGone;
    this.#incoming = new HeldShare(context.memory.incoming, clientAddress);
    this.#buffered = new HeldShare(context.memory.buffered, clientAddress);
    this.#version = version;
    this.#channels = new SocketChannels(context, identity, clientAddress, {
      send: (header, payloadJson) => this.#send(encodeFrame(version, header, payloadJson)),
      sendBroadcast: (frames) => this.#send(frames.of(version)),
    });
    this.#heardAt = now;
    this.#frames = new TokenBucket(REALTIME_LIMITS.framesPerSecond, REALTIME_LIMITS.frameBurst, now);
  }

  get channels(): Iterable<Channel> {
    return this.#channels.all;
  }

  /** Counts a frame of any kind. Returns whether the client is within its limits. */
  count(): boolean {
    if (this.#closed) return false;
    const now = this.#context.now();
    this.#heardAt = now;
    if (this.#frames.take(now)) return true;
    this.close(1008, 'Too many messages per second');
    return false;
  }

  /**
   * Counts received bytes, which the WebSocket library buffers until a message is complete. The limit applies until the
   * connection has ended.
   */
  measure(chunk: Uint8Array): void {
    this.#meter.take(chunk, this.#context.now());
    if (!this.#countIncoming()) this.#drop('A realtime client that sends more than it finishes was dropped.');
    else if (this.#meter.messageBytes > REALTIME_LIMITS.unjoinedFrameBytes && this.#channels.size === 0) {
      this.close(1009, 'Message too big');
    }
  }

  /** Handles one message. Unknown messages count against the limits and are ignored. */
  receive(data: string | ArrayBuffer): void {
    if (!this.count()) return;
    const frame = decodeFrame(data, this.#version);
    if (frame === null) return;
    if (frame.topic === 'phoenix') {
      if (frame.event === 'heartbeat') this.#channels.reply(frame, 'ok', {});
      return;
    }
    if (this.#waiting >= REALTIME_LIMITS.waitingFrames) {
      this.close(1008, 'Too many messages at once');
      return;
    }
    // A parsed message is much larger than its text, so only the first in line is kept parsed.
    this.#serveInTurn(data, this.#waiting === 0 ? frame : null);
  }

  #serveInTurn(data: string | ArrayBuffer, first: ClientFrame | null): void {
    const size = typeof data === 'string' ? data.length : data.byteLength;
    let held = size * (first === null ? WAITING_FACTOR : PARSED_FACTOR);
    this.#waiting += 1;
    this.#waitingBytes += held;
    if (!this.#countIncoming()) {
      this.#waiting -= 1;
      this.#waitingBytes -= held;
      this.#drop('A realtime client that sends more than can be served was dropped.');
      return;
    }
    const serve = async (parsed: ClientFrame | null): Promise<void> => {
      const frame = parsed ?? decodeFrame(data, this.#version);
      if (frame === null || this.#closed) return;
      try {
        await this.#channels.handle(frame, size);
      } catch (error) {
        this.#context.log.warn({ err: error }, 'A realtime message could not be handled.');
        this.#channels.reply(frame, 'error', { reason: 'InternalError: Please try again' });
      }
    };
    // In sequence: a frame after a join finds the channel joined.
    this.#work = this.#work
      .then(() => {
        this.#waitingBytes += size * PARSED_FACTOR - held;
        held = size * PARSED_FACTOR;
        this.#countIncoming();
        return serve(first);
      })
      .finally(() => {
        this.#waiting -= 1;
        this.#waitingBytes -= held;
        this.#countIncoming();
      });
  }

  /** Closes an idle socket, and channels whose tokens have expired. `now` is in milliseconds. */
  check(now: number): void {
    const { startedAt } = this.#meter;
    if (startedAt !== null && now - startedAt > REALTIME_LIMITS.messageMs) this.close(1008, 'Message not finished');
    else if (now - this.#heardAt > REALTIME_LIMITS.idleMs) this.close(1001, 'No heartbeat');
    else this.#channels.check(now);
    this.#countBuffered();
  }

  /** Closes the channels of a session that has ended. */
  endSession(sessionId: string): void {
    this.#channels.endSession(sessionId);
  }

  /** Checks again what the channels of an account, or all channels (null), may do. */
  checkAccount(userId: string | null): void {
    this.#channels.checkAccount(userId);
  }

  /** Ends a channel so that the client rejoins and reads its data again. */
  restart(channel: Channel): void {
    this.#channels.restart(channel);
  }

  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#wire.close(code, reason);
    this.#forget();
  }

  /** Drops the connection of a client that does not complete the closing handshake. */
  terminate(): void {
    this.#wire.terminate();
  }

  /** The transport calls this when the connection has ended, whichever side ended it. */
  onGone(): void {
    this.#forget();
    this.#gone = true;
    this.#countIncoming();
    this.#buffered.set(0);
    this.#onGone();
    this.#resolveGone();
  }

  #forget(): void {
    this.#closed = true;
    this.#channels.forget();
  }

  /** Drops the connection without a close frame, which would only queue behind the unsent data. */
  #drop(reason: string): void {
    this.#context.log.info({}, reason);
    this.#wire.terminate();
    this.#forget();
  }

  /** Waiting frames hold memory even after their client has disconnected. */
  #countIncoming(): boolean {
    return this.#incoming.set((this.#gone ? 0 : this.#meter.heldBytes) + this.#waitingBytes);
  }

  #countBuffered(): boolean {
    return this.#gone || this.#buffered.set(this.#wire.bufferedBytes());
  }

  /** Null for a message that this protocol version cannot carry. */
  #send(message: string | Uint8Array | null): void {
    if (this.#closed || message === null) return;
    if (this.#wire.bufferedBytes() > REALTIME_LIMITS.bufferedBytes || !this.#countBuffered()) {
      this.#drop('A realtime client that reads too slowly was dropped.');
      return;
    }
    this.#wire.send(message);
  }
}
