import type { Socket } from 'node:net';
import type { PassedConnections } from '#server/http/listen.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** The connections that the supervisor accepts at `port` and passes on to this process. */
export function receiveConnections(port: number): PassedConnections {
  return {
    port,
    receive(take) {
      process.on('message', (message: ToWorker, socket: Socket | undefined) => {
        if (message.kind !== 'connection') return;
        // Without a socket, the client has ended the connection meanwhile.
        const taken = socket === undefined || take(socket);
        const confirmation: FromWorker = { kind: 'connection', taken };
        process.send?.(confirmation, undefined, undefined, () => undefined);
        if (!taken) socket?.destroy();
      });
    },
  };
}
