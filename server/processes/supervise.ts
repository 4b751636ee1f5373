import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Drain } from '#server/http/open-requests.ts';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import { REPLACED_DRAIN, STOP_DRAIN, stopWithin } from '#server/start/stop-in-order.ts';
import type { CountedProcesses } from './gather-metrics.ts';
import { ALIVE_EVERY_MS, type FromWorker, sendTo, type ToWorker } from './messages.ts';

export interface SuperviseOptions {
  readonly processes: number;
  /** Called when the port is needed; what has listened on it leaves it. */
  readonly freePort?: (() => void) | undefined;
  /** What each process is given before it starts. */
  readonly orders: Omit<Extract<ToWorker, { kind: 'start' }>, 'kind' | 'index'>;
  readonly log: ServiceLog;
}

/** The processes that serve requests. */
export interface Supervised {
  /** Where they listen. */
  readonly url: string;
  /** Replaces each process by a new one. While one stops, another has already taken its place. */
  restart(): Promise<void>;
  count(): CountedProcesses;
  /** Stops all processes; resolves when they have ended. */
  stop(): Promise<void>;
}

const REPLACE_DELAYS_MS = [100, 500, 2_000, 5_000, 10_000] as const;
/** After this uptime, the next replacement begins with the shortest delay again. */
const WELL_AFTER_MS = 60_000;
/** A process hangs where it has said nothing at this many looks. A suspended machine takes no looks. */
const HANGS_AFTER_LOOKS = 6;

/** A process ended before it served, and has printed why. */
class StartFailed extends OperatorError {
  constructor(how: string) {
    super(`A process of the server did not start (${how}).`);
  }
}

/**
 * Starts the processes, and resolves when all of them serve. Node's `cluster` gives them connections in turns. A process
 * that ends by itself, or is killed because it hangs, is replaced.
 *
 * @throws OperatorError where one of them does not start, or where the address is not available
 */
export async function supervise({ processes, freePort, orders, log }: SuperviseOptions): Promise<Supervised> {
  const places = new Map<number, Worker>();
  /** Starts in progress. Where the process before ends meanwhile, nothing else replaces it. */
  const starting = new Map<number, Promise<void>>();
  /** How often each process has been replaced without having been well since. */
  const failures = new Map<number, number>();
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let ends = 0;

  /** Starts a process; resolves when it could listen. */
  const launch = async (index: number): Promise<Worker> => {
    stopping.signal.throwIfAborted();
    const worker = cluster.fork();
    killWhereItHangs(worker, log);
    const ready = hear(worker, 'ready');
    sendTo(worker, { kind: 'start', index, ...orders });
    await ready;
    log.info({ process: index, pid: worker.process.pid }, 'A process serves.');
    return worker;
  };
  /** Gives it connections. Resolves with where it listens. */
  const open = async (index: number, worker: Worker): Promise<string> => {
    const listening = hear(worker, 'listening');
    sendTo(worker, { kind: 'listen' });
    const { url } = await listening;
    places.set(index, worker);
    const startedAt = performance.now();
    worker.once('exit', (code, signal) => {
      // One that was replaced, or that stops with all others.
      if (places.get(index) !== worker || isStopping()) return;
      places.delete(index);
      ends += 1;
      const how = signal ?? `exit code ${code}`;
      log.error({ process: index, how }, 'A process ended unexpectedly; it is replaced.');
      if (performance.now() - startedAt > WELL_AFTER_MS) failures.delete(index);
      if (!starting.has(index)) void replace(index);
    });
    return url;
  };
  const start = async (index: number): Promise<void> => {
    const started = launch(index).then(async (worker) => void (await open(index, worker)));
    starting.set(index, started);
    try {
      await started;
    } catch (error) {
      ends += 1;
      throw error;
    } finally {
      starting.delete(index);
    }
  };
  const replace = async (index: number): Promise<void> => {
    while (!places.has(index)) {
      const failed = failures.get(index) ?? 0;
      failures.set(index, failed + 1);
      const delay = REPLACE_DELAYS_MS[Math.min(failed, REPLACE_DELAYS_MS.length - 1)];
      await pause(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (isStopping()) return;
      try {
        await start(index);
        log.warn({ process: index }, 'The process is running again.');
      } catch (error) {
        if (isStopping()) return;
        log.error({ err: error, process: index }, 'A process could not be started; retrying.');
      }
    }
  };
  const restartAll = async (): Promise<void> => {
    log.info({}, 'Restarting the processes, one after the other.');
    for (let index = 1; index <= processes; index += 1) {
      // A start in progress may have read the program and the files of before.
      await starting.get(index)?.catch(() => undefined);
      if (isStopping()) return;
      const before = places.get(index);
      // It has ended by itself. What replaces it begins from now on.
      if (before === undefined) continue;
      try {
        await start(index);
      } catch (error) {
        if (isStopping()) return;
        log.error({ err: error, process: index }, 'The new process did not start; the ones before go on.');
        if (!places.has(index)) void replace(index);
        return;
      }
      await end(before, REPLACED_DRAIN);
    }
    log.info({}, 'All processes were restarted.');
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(all.map((worker) => end(worker, STOP_DRAIN)));
  };

  try {
    // The first one migrates the database and finds what is wrong with the settings; it reports that once.
    const first = await launch(1);
    const others = await Promise.all(Array.from({ length: processes - 1 }, (_, index) => launch(index + 2)));
    // Nothing is accepted before, so a load balancer or an installation's script finds a server that has all of them.
    freePort?.();
    const url = await open(1, first);
    await Promise.all(others.map((worker, index) => open(index + 2, worker)));
    let restarting = Promise.resolve();
    return {
      url,
      restart() {
        restarting = restarting.then(restartAll);
        return restarting;
      },
      count: () => ({ wanted: processes, serving: places.size, ends }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves with the process's next message of this kind, or rejects where it ends before. */
function hear<Kind extends FromWorker['kind']>(
  worker: Worker,
  kind: Kind,
): Promise<Extract<FromWorker, { kind: Kind }>> {
  const isOfKind = (message: FromWorker): message is Extract<FromWorker, { kind: Kind }> => message.kind === kind;
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (isOfKind(message)) resolve(message);
    });
    worker.once('exit', (code, signal) => reject(new StartFailed(signal ?? `exit code ${code}`)));
    if (worker.isDead()) reject(new StartFailed('it had ended'));
  });
}

function killWhereItHangs(worker: Worker, log: ServiceLog): void {
  let looks = 0;
  worker.on('message', () => {
    looks = 0;
  });
  const looking = setInterval(() => {
    looks += 1;
    if (looks !== HANGS_AFTER_LOOKS) return;
    log.error({ pid: worker.process.pid }, 'A process hangs; it is killed.');
    worker.process.kill('SIGKILL');
  }, ALIVE_EVERY_MS);
  worker.once('exit', () => clearInterval(looking));
}

/** Asks a process to stop, and kills it where it takes too long. */
async function end(worker: Worker, drain: Drain): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  sendTo(worker, { kind: 'stop', drain });
  const late = setTimeout(() => worker.process.kill('SIGKILL'), stopWithin(drain));
  await ended;
  clearTimeout(late);
}
