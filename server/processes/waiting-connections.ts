import type { Socket } from 'node:net';
import { clientAddress } from '#server/http/client-address.ts';

type Connection = Pick<Socket, 'remoteAddress' | 'destroy'>;

/**
 * Connections that wait for a process, up to `most`. Network addresses take turns. When all places are taken, a new
 * connection gets that of the latest one of the address with the most, as in a `FairQueue`. So one address may have every
 * place, as a proxy has, until another one needs some. What a proxy reports is not known: nothing has been read yet.
 */
export class WaitingConnections<One extends Connection = Socket> {
  #most: number;
  #count = 0;
  /** In the order of their turns; of each address at least one. */
  #byAddress = new Map<string, One[]>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a connection behind those of its address. Closes it, or another one, if all places are taken. */
  add(connection: One): void {
    const address = addressOf(connection);
    if (this.#count >= this.#most) {
      const from = this.#addressWithMoreThan(address);
      if (from === undefined) {
        connection.destroy();
        return;
      }
      this.#take(from, 'last')?.destroy();
    }
    const own = this.#byAddress.get(address);
    if (own === undefined) this.#byAddress.set(address, [connection]);
    else own.push(connection);
    this.#count += 1;
  }

  /** Adds one that `next` has returned, before the others of its address. It needs no free place. */
  putBack(connection: One): void {
    const address = addressOf(connection);
    this.#byAddress.set(address, [connection, ...(this.#byAddress.get(address) ?? [])]);
    this.#count += 1;
  }

  /** Removes and returns the connection whose turn it is. Its address moves behind all others. */
  next(): One | undefined {
    const [address] = this.#byAddress.keys();
    if (address === undefined) return undefined;
    const next = this.#take(address, 'first');
    const rest = this.#byAddress.get(address);
    if (rest !== undefined) {
      this.#byAddress.delete(address);
      this.#byAddress.set(address, rest);
    }
    return next;
  }

  /** The address with the most, if it has more than the given one, also with one more. */
  #addressWithMoreThan(address: string): string | undefined {
    let found: string | undefined;
    let most = (this.#byAddress.get(address)?.length ?? 0) + 1;
    for (const [other, { length }] of this.#byAddress) {
      if (length > most) [found, most] = [other, length];
    }
    return found;
  }

  #take(address: string, which: 'first' | 'last'): One | undefined {
    const own = this.#byAddress.get(address) ?? [];
    const taken = which === 'first' ? own.shift() : own.pop();
    if (own.length === 0) this.#byAddress.delete(address);
    this.#count -= 1;
    return taken;
  }
}

function addressOf({ remoteAddress }: Connection): string {
  return clientAddress(remoteAddress, undefined, 0);
}
