import { type Client, Query } from 'pg';

type Callback = (error: Error | null) => void;

/** The driver's connection while a COPY runs (pg/lib/connection.js), which its types omit. */
interface CopyConnection {
  readonly stream: {
    pause(): void;
    resume(): void;
    once(event: 'drain', listener: () => void): void;
    readonly writableNeedDrain: boolean;
  };
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** The methods of a query that the driver calls during a COPY (pg/lib/query.js), which its types omit. */
interface CopyResponse extends Query {
  handleCopyInResponse(connection: CopyConnection): void;
  handleCopyData(message: { readonly chunk: Buffer }, connection: CopyConnection): void;
}

const DriversQuery = Query as unknown as new (text: string, values: undefined, callback: Callback) => CopyResponse;

/** What PostgreSQL sends ahead of a slow reader, in bytes. */
const MOST_AHEAD = 1024 * 1024;

/** Runs a `COPY … TO STDOUT` and returns what PostgreSQL sends, a row or more at a time. To be read to its end. */
export async function* copyOut(client: Client, statement: string): AsyncGenerator<Buffer> {
  const rows: Buffer[] = [];
  let ahead = 0;
  let paused: CopyConnection | null = null;
  let wake: () => void = () => undefined;
  let result: { readonly error: Error | null } | null = null;

  class CopyOut extends DriversQuery {
    override handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: CopyConnection): void {
      // The driver reads into this memory again.
      rows.push(Buffer.from(chunk));
      ahead += chunk.byteLength;
      if (ahead > MOST_AHEAD && paused === null) {
        connection.stream.pause();
        paused = connection;
      }
      wake();
    }
  }
  client.query(
    new CopyOut(statement, undefined, (error) => {
      result = { error };
      wake();
    }),
  );
  for (;;) {
    while (rows.length > 0) {
      const taken = Buffer.concat(rows.splice(0));
      ahead = 0;
      yield taken;
    }
    const ended = result as { readonly error: Error | null } | null;
    if (ended !== null) {
      if (ended.error !== null) throw ended.error;
      return;
    }
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const waiting = paused as CopyConnection | null;
    paused = null;
    waiting?.stream.resume();
    await woken;
  }
}

/** Runs a `COPY … FROM STDIN` with this input. A failure of the input fails the statement, and is thrown. */
export async function copyIn(client: Client, statement: string, input: AsyncIterable<Uint8Array>): Promise<void> {
  const responded = Promise.withResolvers<Error | null>();
  let isOver = false;
  let fed: Promise<unknown> = Promise.resolve();

  class CopyIn extends DriversQuery {
    override handleCopyInResponse(connection: CopyConnection): void {
      fed = feed(connection);
      // It is awaited below.
      fed.catch(() => undefined);
    }
  }

  async function feed(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of input) {
        if (isOver) return;
        connection.sendCopyFromChunk(chunk);
        if (!connection.stream.writableNeedDrain) continue;
        const drained = new Promise<void>((resolve) => connection.stream.once('drain', resolve));
        await Promise.race([drained, responded.promise]);
      }
      connection.endCopyFrom();
    } catch (error) {
      connection.sendCopyFail('The input ended early.');
      throw error;
    }
  }

  client.query(
    new CopyIn(statement, undefined, (error) => {
      isOver = true;
      responded.resolve(error);
    }),
  );
  const error = await responded.promise;
  await fed;
  if (error) throw error;
}
