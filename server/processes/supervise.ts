import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { ListenAddress } from '#server/http/listen.ts';
import type { Drain } from '#server/http/open-requests.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { ProcessMetrics } from '#server/metrics/merge-metrics.ts';
import { OperatorError } from '#server/operator-error.ts';
import { REPLACED_DRAIN, STOP_DRAIN, stopWithin } from '#server/start/stop-in-order.ts';
import { gatherMetrics } from './gather-metrics.ts';
import { measureProcesses } from './measure-processes.ts';
import { type FromWorker, STARTING_EVERY_MS, sendTo, type ToWorker } from './messages.ts';
import { type ConnectionPasser, passConnections } from './pass-connections.ts';

export interface SuperviseOptions {
  readonly processes: number;
  /** Where connections are accepted. */
  readonly listen: ListenAddress;
  /** Called when the address is needed; what has listened on it leaves it. */
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
  /** Returns the metrics of the processes, of each that has any, and what those before them had counted. */
  readMetrics(): Promise<ProcessMetrics[]>;
  /** Stops all processes; resolves when they have ended. */
  stop(): Promise<void>;
}

/** A process that serves, and its end. */
interface Running {
  readonly worker: Worker;
  readonly ended: Promise<string>;
}

const REPLACE_DELAYS_MS = [100, 500, 2_000, 5_000, 10_000] as const;
/**
 * A process that starts hangs where it has said nothing at this many looks, a minute. It may take any time to start, such as
 * for migrations of large tables. A suspended machine takes no looks.
 */
const HANGS_AFTER_LOOKS = 12;
/** After this uptime, the next replacement begins with the shortest delay again. */
const WELL_AFTER_MS = 60_000;

/** A process ended before it was ready, and has printed why. */
class StartFailed extends OperatorError {
  constructor(how: string) {
    super(`A process of the server did not start (${how}).`);
  }
}

/**
 * Starts the processes, and resolves when all of them serve. Connections arrive at this process, which passes them on,
 * so one that arrives while a process stops goes to another. A process that ends by itself is replaced.
 *
 * @throws OperatorError where one of them does not start, or where the address is not available
 */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const { processes, log } = options;
  const places = new Map<number, Running>();
  /** How often each process has been replaced without having been well since. */
  const failures = new Map<number, number>();
  /** Starts in progress, in place of processes that ended by themselves. */
  const replacing = new Map<number, Promise<void>>();
  const stopping = new AbortController();
  const metrics = gatherMetrics();
  /** How often a process has ended by itself, at its start too. */
  let ends = 0;
  let connections: ConnectionPasser | undefined;
  /** The process that a restart is replacing. If it ends meanwhile, nothing else replaces it. */
  let restartingIndex: number | null = null;

  const startNew = async (index: number): Promise<Running> => {
    try {
      return await start(index, options, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) ends += 1;
      throw error;
    }
  };
  const keep = (index: number, running: Running) => {
    places.set(index, running);
    connections?.add(running.worker);
    metrics.add(running.worker);
    const startedAt = performance.now();
    void running.ended.then(async (how) => {
      // One that was replaced, or that stops with all others.
      if (places.get(index) !== running || stopping.signal.aborted) return;
      places.delete(index);
      ends += 1;
      log.error({ process: index, how }, 'A process ended unexpectedly; it is replaced.');
      if (restartingIndex === index) return;
      const wasWell = performance.now() - startedAt > WELL_AFTER_MS;
      await replace(index, wasWell ? 0 : (failures.get(index) ?? 0));
    });
  };
  const replace = async (index: number, earlier: number): Promise<void> => {
    for (let failed = earlier; !stopping.signal.aborted; failed += 1) {
      failures.set(index, failed + 1);
      const delay = REPLACE_DELAYS_MS[Math.min(failed, REPLACE_DELAYS_MS.length - 1)];
      await pause(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        const started = startNew(index).then((running) => keep(index, running));
        replacing.set(index, started);
        await started;
        log.warn({ process: index }, 'The process is running again.');
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error, process: index }, 'A process could not be started; retrying.');
      } finally {
        replacing.delete(index);
      }
    }
  };

  const stop = async () => {
    stopping.abort();
    connections?.close();
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(all.map((worker) => end(worker, STOP_DRAIN)));
  };
  try {
    // The first one migrates the database and finds what is wrong with the settings; it reports that once.
    keep(1, await startNew(1));
    const others = Array.from({ length: processes - 1 }, (_, index) => index + 2);
    await Promise.all(
      others.map(async (index) => {
        keep(index, await startNew(index));
      }),
    );
    // Nothing is accepted before, so a load balancer or an installation's script finds a server that has all of them.
    options.freePort?.();
    connections = await passConnections({
      host: options.listen.host,
      port: options.listen.port,
      onHang({ process }) {
        log.error({ pid: process.pid }, 'A process takes no connections; it is killed.');
        process.kill('SIGKILL');
      },
    });
    for (const { worker } of places.values()) connections.add(worker);
  } catch (error) {
    await stop();
    throw error;
  }

  const restartAll = async () => {
    log.info({}, 'Restarting the processes, one after the other.');
    for (let index = 1; index <= processes && !stopping.signal.aborted; index += 1) {
      // A start in progress may have read the program and the files of before.
      await replacing.get(index)?.catch(() => undefined);
      const before = places.get(index);
      // It has ended by itself. What replaces it begins from now on.
      if (before === undefined) continue;
      restartingIndex = index;
      try {
        keep(index, await startNew(index));
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error, process: index }, 'The new process did not start; the ones before go on.');
        if (!places.has(index)) void replace(index, 0);
        return;
      } finally {
        restartingIndex = null;
      }
      connections?.remove(before.worker);
      await end(before.worker, REPLACED_DRAIN);
    }
    if (!stopping.signal.aborted) log.info({}, 'All processes were restarted.');
  };
  let restarting = Promise.resolve();

  return {
    url: `http://localhost:${connections.port}`,
    restart() {
      restarting = restarting.then(restartAll);
      return restarting;
    },
    async readMetrics() {
      const { metrics: measured, responding } = await metrics.read();
      return [measureProcesses({ wanted: processes, serving: places.size, responding, ends }), ...measured];
    },
    stop,
  };
}

/** Starts a process; resolves when it serves. */
async function start(index: number, { orders, log }: SuperviseOptions, giveUp: AbortSignal): Promise<Running> {
  giveUp.throwIfAborted();
  const worker = cluster.fork();
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  sendTo(worker, { kind: 'start', index, ...orders });
  let looks = 0;
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message: FromWorker) => {
      looks = 0;
      if (message.kind === 'ready') resolve();
    });
  });
  const looking = setInterval(() => {
    looks += 1;
    if (looks !== HANGS_AFTER_LOOKS) return;
    log.error({ process: index, pid: worker.process.pid }, 'A process hangs at its start; it is killed.');
    worker.process.kill('SIGKILL');
  }, STARTING_EVERY_MS);
  try {
    await Promise.race([ready, ended.then((how) => Promise.reject(new StartFailed(how)))]);
  } finally {
    clearInterval(looking);
  }
  log.info({ process: index, pid: worker.process.pid }, 'A process serves.');
  return { worker, ended };
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
