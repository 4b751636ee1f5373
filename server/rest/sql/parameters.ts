import type { Statement } from '#server/postgres/statement.ts';

/** The values of a statement. Each gets a placeholder, so that text from a request never becomes SQL. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  statement(text: string): Statement {
    return { text, values: this.values };
  }
}
