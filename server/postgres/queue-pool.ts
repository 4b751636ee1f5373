import { Pool, type PoolClient } from 'pg';

type Done = (release?: Error | boolean) => void;
/** Without `done` where the pool has been closed: there is nothing to give back. */
type Connected = (error: Error | undefined, client: PoolClient | undefined, done?: Done) => void;

/**
 * A pool for the job queue. Where the connection that it listens on is lost while the queue stops, its library
 * (graphile-worker 0.18) gives it back twice, at the second time in a promise that nobody waits for: the pool's error
 * would end the process. Here the second time does nothing.
 */
export class QueuePool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (callback === undefined) return super.connect();
    super.connect((error, client, done?: Done) => callback(error, client, done && once(done)));
    return undefined;
  }
}

function once(done: Done): Done {
  let called = false;
  return (release) => {
    if (called) return;
    called = true;
    done(release);
  };
}
