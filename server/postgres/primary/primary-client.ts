import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { NotPrimary } from './not-primary.ts';
import type { Place, Primary } from './primary.ts';

/** How to connect. With `primary`, the host and port are those of the server that it finds. */
export interface PrimaryClientConfig extends ClientConfig {
  readonly primary?: Primary | undefined;
  /** Whether a pooler is in between, which gives each transaction another session. */
  readonly isPooled?: boolean | undefined;
}

/** The driver's connection (pg/lib/connection.js), and what its types declare read-only. */
interface DriversClient {
  host: string;
  port: number;
  readonly connection: {
    readonly stream: Socket;
    on(event: 'parameterStatus', listener: (status: ParameterStatus) => void): void;
  };
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** As the driver's types have it: with an error, or with null and the client. */
type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

/**
 * A connection to a PostgreSQL that can be written to. PostgreSQL says at the start of each session whether it is a
 * standby, which costs no round trip.
 *
 * Where the address names several servers, it connects to their primary, and ends as soon as another one is known to
 * have become the primary.
 */
export class PrimaryClient extends Client {
  readonly isPooled: boolean;
  #primary: Primary | undefined;
  #place: Place | undefined;
  #isStandby = false;
  #isEnding = false;

  constructor(config: PrimaryClientConfig = {}) {
    super(config);
    this.#primary = config.primary;
    this.isPooled = config.isPooled ?? false;
    this.#driver.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
    // The driver emits this for a connection that ends without being asked to, also before the caller of `connect` has
    // a listener of its own.
    this.on('error', () => this.#doubt());
  }

  /** @throws NotPrimary where the server is a standby, and where none of several is the primary */
  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<this> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    const done = callback as (error: Error | null, client?: Client) => void;
    connected.then((client) => done(null, client), done);
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    this.#isEnding = true;
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Ends the connection at once: its server is no longer the primary. Statements in progress fail. */
  abandon(): void {
    this.#doubt();
    this.#driver.connection.stream.destroy(new Error('Connection terminated: its server is no longer the primary.'));
  }

  async #connect(): Promise<this> {
    const primary = this.#primary;
    if (primary !== undefined) {
      const place = await primary.find();
      // The driver's own `end` does nothing before it connects.
      if (this.#isEnding) throw new Error('Connection terminated');
      this.#place = place;
      this.#driver.host = place.host;
      this.#driver.port = place.port;
      // From here on, so that a server that hangs is not waited for either.
      primary.follow(this, place);
    }
    try {
      await super.connect();
    } catch (error) {
      this.#doubt();
      throw error;
    }
    if (this.#isStandby) {
      this.#doubt();
      void this.end();
      throw new NotPrimary('This PostgreSQL is a standby that can only be read. Name its primary in DATABASE_URL.');
    }
    return this;
  }

  #doubt(): void {
    if (this.#place !== undefined) this.#primary?.doubt(this.#place);
  }

  get #driver(): DriversClient {
    return this as unknown as DriversClient;
  }
}
