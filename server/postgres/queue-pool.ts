import { Pool, type PoolClient } from 'pg';

type Done = (release?: Error | boolean) => void;
/** `done` is missing where the pool is closed. */
type Connected = (error: Error | undefined, client: PoolClient | undefined, done?: Done) => void;

/**
 * A pool for the job queue. If the connection it listens on is lost while the queue stops, graphile-worker 0.18
 * releases it twice, the second time in an unawaited promise, and the pool's error would end the process. Here the
 * second release has no effect.
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
