import type { Socket } from 'node:net';
import { clientAddress } from '#server/http/client-address.ts';
import { Turns } from '#server/limits/turns.ts';

type Connection = Pick<Socket, 'remoteAddress' | 'destroy'>;

/**
 * Connections that wait for a process, up to `most`. Network addresses take turns, and give up places as the holders of
 * `Turns` do. So one address may have every place, as a proxy has, until another one needs some. What a proxy reports is
 * not known: nothing has been read yet.
 */
export class WaitingConnections<One extends Connection = Socket> {
  #turns: Turns<One>;

  constructor(most: number) {
    this.#turns = new Turns(most);
  }

  /** Adds a connection behind those of its address. Closes it, or another one, if all places are taken. */
  add(connection: One): void {
    this.#turns.add(addressOf(connection), connection)?.destroy();
  }

  /** Adds one that `next` has returned, before the others of its address. It needs no free place. */
  putBack(connection: One): void {
    this.#turns.putBack(addressOf(connection), connection);
  }

  /** Removes and returns the connection whose turn it is. Its address moves behind all others. */
  next(): One | undefined {
    return this.#turns.next();
  }
}

function addressOf({ remoteAddress }: Connection): string {
  return clientAddress(remoteAddress, undefined, 0);
}
