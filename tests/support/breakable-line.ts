import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { whenDone } from './when-done.ts';

/** A way to a database that a test breaks: as if the database were gone, while the test itself still reaches it. */
export interface BreakableLine {
  /** The database, over this line. */
  readonly address: PostgresAddress;
  /** Ends every connection, and refuses new ones until it is mended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Existing connections stop passing data, without notice to either end. New ones work. */
  fallSilent(): void;
}

/** Lays a line to the database, at the top of a test file or in a test; it is gone when they are done. */
export async function layBreakableLine({ host, port, ...account }: PostgresAddress): Promise<BreakableLine> {
  if (host === undefined || port === undefined) throw new Error('A line leads to a host and a port.');
  const open = new Set<Socket>();
  const server = createServer((near) => {
    // PostgreSQL's socket in a folder has the port in its name.
    const far = host.startsWith('/') ? connect({ path: `${host}/.s.PGSQL.${port}` }) : connect({ host, port });
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(end);
      end.pipe(other);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        open.delete(end);
        other.destroy();
      });
    }
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async () => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of open) socket.destroy();
    await closed;
  };
  const fallSilent = () => {
    for (const socket of open) socket.unpipe().pause();
  };
  await listen(0);
  // A TCP server listening on a port has an AddressInfo.
  const near = (server.address() as AddressInfo).port;
  whenDone(cut);
  return { address: { ...account, host: '127.0.0.1', port: near }, cut, mend: () => listen(near), fallSilent };
}
