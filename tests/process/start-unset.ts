import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';

/** A production server that may have nothing to start with. */
export interface UnsetService {
  /** Its one-time address, or null where it started without one. */
  readonly address: string | null;
  /** The service, once it is ready. */
  readonly ready: Promise<ServiceProcess>;
  readonly child: ChildProcess;
  /** Everything that it printed. */
  printed(): string;
}

interface UnsetOptions {
  readonly dataDirectory: string;
  readonly port: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a production server, and resolves when it has printed its one-time address, or is ready. */
export async function startUnset({ dataDirectory, port, environment }: UnsetOptions): Promise<UnsetService> {
  const spawned = Promise.withResolvers<ChildProcess>();
  const ready = startServiceProcess({
    dataDirectory,
    port,
    environment: { NODE_ENV: 'production', LOG_LEVEL: 'info', ...environment },
    onSpawn: spawned.resolve,
  });
  ready.catch(() => undefined);
  const child = await spawned.promise;
  let text = '';
  const printedAddress = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
        const [address] = /http\S+\/set-up\/\S+(?=\n)/.exec(text) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
  });
  const address = await Promise.race([printedAddress, ready.then(() => null)]);
  return { address, ready, child, printed: () => text };
}

/** Posts the form as a browser does. */
export function submit(address: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

/** Kills it without notice. Its database ends by itself. */
export async function kill({ child }: Pick<UnsetService, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
