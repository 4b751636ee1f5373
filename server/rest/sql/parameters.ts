import { createHash } from 'node:crypto';
import type { Statement } from '#server/postgres/statement.ts';

/** The values of a statement; each gets its placeholder, so that no text of a request becomes SQL text. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Prepared statements that each connection may hold; a caller who makes up ever new queries fills this and no more. */
const MOST_NAMES = 500;
const names = new Map<string, string>();

/** A statement that is prepared under a name of its own text, or unnamed once there are too many different ones. */
export function prepared(text: string, parameters: Parameters): Statement {
  let name = names.get(text);
  if (name === undefined && names.size < MOST_NAMES) {
    name = `rest_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
    names.set(text, name);
  }
  return name === undefined ? { text, values: parameters.values } : { name, text, values: parameters.values };
}
