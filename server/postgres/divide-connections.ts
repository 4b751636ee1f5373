/** How many connections to PostgreSQL each part of a server uses, at most. */
export interface ConnectionDivision {
  /** For notifications, and for what lasts as long as a session. */
  readonly session: 1;
  /** For the job queue, and for statements of the account that owns the tables. */
  readonly owner: number;
  /** For counting limits. */
  readonly limits: number;
  /** Shared by quick reads of visitors. */
  readonly visitorLane: number;
  /** For calls that have a connection to themselves. */
  readonly calls: number;
}

/** The most connections of a server where the operator sets none. */
export const DEFAULT_CONNECTIONS = 12;
/** With fewer, two accounts together could hold up a third one. */
export const LEAST_CONNECTIONS = 12;
export const MOST_CONNECTIONS = 500;

/**
 * Divides `connections` among the parts of a server. More than half are for calls, which may take long; a connection of
 * any other part is free again within milliseconds.
 *
 * @example
 * divideConnections(12) // 8 for calls, 1 for each other part
 */
export function divideConnections(connections: number): ConnectionDivision {
  const part = Math.max(1, Math.floor(connections / 12));
  const others = { session: 1, owner: part, limits: part, visitorLane: part } as const;
  return { ...others, calls: connections - 1 - 3 * part };
}
