import type { Statement } from '#server/postgres/statement.ts';

/** The values of a statement; each gets its placeholder, so that no text of a request becomes SQL text. */
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
