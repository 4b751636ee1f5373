import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** The PostgreSQL that was reached cannot be written to. The call changed nothing. */
export class NotPrimary extends Error {
  override name = 'NotPrimary';
}

/** How to connect. */
export interface PrimaryClientConfig extends ClientConfig {
  /** Whether a pooler is in between, which gives each transaction another session. */
  readonly isPooled?: boolean | undefined;
}

/** The driver's connection (pg/lib/connection.js), which its types omit. */
interface DriversConnection {
  readonly stream: Socket;
  on(event: 'parameterStatus', listener: (status: ParameterStatus) => void): void;
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** As the driver's types have it: with an error, or with null and the client. */
type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

/**
 * A connection to a PostgreSQL that can be written to. A proxy or a name that moves can lead to a standby for a moment;
 * PostgreSQL says at the start of each session whether it is one, which costs no round trip.
 */
export class PrimaryClient extends Client {
  readonly isPooled: boolean;
  #isStandby = false;

  constructor(config: PrimaryClientConfig = {}) {
    super(config);
    this.isPooled = config.isPooled ?? false;
    this.#connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
    // The driver emits this for a connection that ends without being asked to, also before the caller of `connect` has
    // a listener of its own.
    this.on('error', () => undefined);
  }

  /** @throws NotPrimary where the server is a standby */
  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<this> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    const done = callback as (error: Error | null, client?: Client) => void;
    connected.then((client) => done(null, client), done);
    return undefined;
  }

  /** Ends the connection at once: its server can no longer be written to. Statements in progress fail. */
  abandon(): void {
    this.#connection.stream.destroy(new Error('Connection terminated: its server is no longer the primary.'));
  }

  async #connect(): Promise<this> {
    await super.connect();
    if (this.#isStandby) {
      void this.end();
      throw new NotPrimary(
        'This PostgreSQL is a standby that can only be read. DATABASE_URL must lead to its primary.',
      );
    }
    return this;
  }

  get #connection(): DriversConnection {
    return (this as unknown as { readonly connection: DriversConnection }).connection;
  }
}
