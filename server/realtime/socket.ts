import type { Channel, ChannelIdentity } from './channel.ts';
import { decodeFrame, encodeFrame, type ProtocolVersion } from './frames.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { SocketChannels } from './socket-channels.ts';
import { TokenBucket } from './token-bucket.ts';

/** The transport under a socket. */
export interface Wire {
  send(message: string | Uint8Array): void;
  close(code: number, reason: string): void;
  /** Drops the connection without a word. */
  terminate(): void;
  /** Bytes that the client has not taken yet. */
  bufferedBytes(): number;
}

export interface SocketOptions {
  readonly context: RealtimeContext;
  readonly wire: Wire;
  readonly version: ProtocolVersion;
  readonly clientAddress: string;
  /** Who the handshake's key stands for: a channel that joins without a token acts as it. */
  readonly identity: ChannelIdentity;
  /** Nothing is sent any more, nor taken; it may be said more than once. */
  readonly onClosed: () => void;
}

/** One client's connection: its bounds, and what it asks of its channels, one thing after another. */
export class Socket {
  readonly clientAddress: string;
  #context: RealtimeContext;
  #wire: Wire;
  #onClosed: () => void;
  #version: ProtocolVersion;
  #channels: SocketChannels;
  #frames: TokenBucket;
  #heardAt: number;
  #waiting = 0;
  #work: Promise<void> = Promise.resolve();
  #closed = false;
  #resolveGone: () => void = () => undefined;
  /** Resolves when the connection is over. */
  readonly gone = new Promise<void>((resolve) => {
    this.#resolveGone = resolve;
  });

  constructor({ context, wire, version, clientAddress, identity, onClosed }: SocketOptions) {
    const now = context.now();
    this.clientAddress = clientAddress;
    this.#context = context;
    this.#wire = wire;
    this.#onClosed = onClosed;
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

  /** Counts a frame, whatever is in it; says whether the client is within its bounds. */
  count(): boolean {
    if (this.#closed) return false;
    const now = this.#context.now();
    this.#heardAt = now;
    if (this.#frames.take(now)) return true;
    this.close(1008, 'Too many messages per second');
    return false;
  }

  /** Takes one message of the client. What is none that we know is counted and passed over. */
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
    // In order: what follows a join finds the channel joined.
    this.#waiting += 1;
    this.#work = this.#work
      .then(() => this.#channels.handle(frame))
      .catch((error: unknown) => {
        this.#context.log.warn({ err: error }, 'A realtime message could not be answered.');
        this.#channels.reply(frame, 'error', { reason: 'InternalError: Please try again' });
      })
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  /** Looks at the clock (milliseconds): an idle socket is closed, and so is each channel whose token is over. */
  check(now: number): void {
    if (now - this.#heardAt > REALTIME_LIMITS.idleMs) this.close(1001, 'No heartbeat');
    else this.#channels.check(now);
  }

  /** Closes the channels of a session that has ended. */
  endSession(sessionId: string): void {
    this.#channels.endSession(sessionId);
  }

  /** Asks again what the channels of an account, or all of them (null), may do. */
  checkAccount(userId: string | null): void {
    this.#channels.checkAccount(userId);
  }

  /** Ends a channel in the way that makes the client join, and so read, again. */
  restart(channel: Channel): void {
    this.#channels.restart(channel);
  }

  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#wire.close(code, reason);
    this.#forget();
  }

  /** Drops the connection where its client does not answer a goodbye. */
  terminate(): void {
    this.#wire.terminate();
  }

  /** To be told when the connection is over, whoever ended it. */
  onGone(): void {
    this.#forget();
    this.#resolveGone();
  }

  #forget(): void {
    this.#closed = true;
    this.#channels.forget();
    this.#onClosed();
  }

  /** Null is what this version of the protocol has no form for. */
  #send(message: string | Uint8Array | null): void {
    if (this.#closed || message === null) return;
    if (this.#wire.bufferedBytes() > REALTIME_LIMITS.bufferedBytes) {
      // A goodbye would only queue up behind the rest.
      this.#context.log.info({}, 'A realtime client that reads too slowly was dropped.');
      this.#wire.terminate();
      this.#forget();
      return;
    }
    this.#wire.send(message);
  }
}
