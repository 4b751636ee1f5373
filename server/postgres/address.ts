import type { ClientConfig } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { Primary } from './primary/primary.ts';
import { SeenHistory } from './primary/seen-history.ts';
import { splitHosts } from './primary/split-hosts.ts';

/** The address and credentials of a PostgreSQL server: separate fields or one connection string. */
export interface PostgresAddress
  extends Pick<ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'> {
  /** Which of several servers it is at this moment. Host and port are then those that it finds. */
  readonly primary?: Primary;
}

interface ReadAddressOptions {
  /** Where the server keeps what it knows of the primary. */
  readonly dataDirectory: string;
  readonly log: ServiceLog;
}

/** Reads DATABASE_URL, which names one server, or several of which one is the primary. It must be well-formed. */
export function readAddress(url: string, { dataDirectory, log }: ReadAddressOptions): PostgresAddress {
  const [first = url, ...others] = splitHosts(url) ?? [];
  if (others.length === 0) return { connectionString: first };
  const primary = new Primary([first, ...others], new SeenHistory(dataDirectory), log);
  return { connectionString: first, primary };
}
