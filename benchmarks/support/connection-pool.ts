import { Connection, type HttpResponse, type Question } from './connection.ts';

/** Connections to servers on this machine that are used again, each for one request at a time. */
export interface ConnectionPool {
  /** Rejects where the server cannot be reached, or closes the connection before its response is complete. */
  ask(port: number, question: Question): Promise<HttpResponse>;
  close(): void;
}

export function connectionPool(): ConnectionPool {
  const idle = new Map<number, Connection[]>();
  const take = async (port: number) => {
    const left = (idle.get(port) ?? []).filter(({ isOpen }) => isOpen);
    const connection = left.pop();
    idle.set(port, left);
    return connection ?? (await Connection.open(port));
  };
  return {
    async ask(port, question) {
      const connection = await take(port);
      const response = await connection.ask(question);
      idle.get(port)?.push(connection);
      return response;
    },
    close() {
      for (const connection of [...idle.values()].flat()) connection.close();
    },
  };
}
