import { tooComplex, unparsable } from '../errors.ts';

/** How deep selects and logic trees may nest: more than any real query needs, less than overflows a stack. */
const DEEPEST = 20;

const BARE_NAME = /[\p{L}\p{N}_$ ]+(?:-(?!>)[\p{L}\p{N}_$ ]*)*/uy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy;
const INTEGER = /-?\d{1,9}(?![\p{L}\p{N}_$])/uy;

/** A position in the text being parsed, with its error messages. */
export class Scanner {
  position = 0;
  readonly text: string;
  #what: string;
  #depth = 0;

  /** `what` names the text in errors, such as `select parameter` or `filter`. */
  constructor(text: string, what: string) {
    this.text = text;
    this.#what = what;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** Consumes the literal if it is next, and returns whether it was. */
  eat(literal: string): boolean {
    if (!this.text.startsWith(literal, this.position)) return false;
    this.position += literal.length;
    return true;
  }

  expect(literal: string): void {
    if (!this.eat(literal)) this.fail(`"${literal}"`);
  }

  sees(literal: string): boolean {
    return this.text.startsWith(literal, this.position);
  }

  /**
   * Consumes and returns the first of the words that is next and followed by one of the literals. The literal is not
   * consumed.
   */
  eatWord<Word extends string>(words: readonly Word[], followedBy: readonly string[]): Word | null {
    for (const word of words) {
      if (!this.sees(word)) continue;
      const after = this.position + word.length;
      if (
        followedBy.some((literal) =>
          literal === '' ? after === this.text.length : this.text.startsWith(literal, after),
        )
      ) {
        this.position = after;
        return word;
      }
    }
    return null;
  }

  /** Consumes a name: bare or in double quotes. */
  name(): string {
    const quoted = this.quoted();
    if (quoted !== null) return quoted;
    const bare = this.match(BARE_NAME)?.[0].trim();
    if (bare === undefined || bare === '') return this.fail('a field name');
    return bare;
  }

  /**
   * Consumes a double-quoted text, in which a backslash escapes the next character. Returns null where none is next.
   */
  quoted(): string | null {
    const inside = this.match(QUOTED)?.[1];
    return inside === undefined ? null : inside.replace(/\\(.)/gsu, '$1');
  }

  integer(): number | null {
    const digits = this.match(INTEGER)?.[0];
    return digits === undefined ? null : Number(digits);
  }

  /** Matches a sticky expression here and consumes the match. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position;
    const found = expression.exec(this.text);
    if (found !== null) this.position += found[0].length;
    return found;
  }

  rest(): string {
    const rest = this.text.slice(this.position);
    this.position = this.text.length;
    return rest;
  }

  /** Parses comma-separated items, at least one. */
  list<Item>(item: () => Item): Item[] {
    const items = [item()];
    while (this.eat(',')) items.push(item());
    return items;
  }

  /** Parses a recursive structure to a bounded depth. Throws PGRST100 beyond it. */
  nested<Inner>(parse: () => Inner): Inner {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw tooComplex(`It nests deeper than ${DEEPEST} levels.`);
    const inner = parse();
    this.#depth -= 1;
    return inner;
  }

  expectEnd(): void {
    if (!this.atEnd) this.fail('end of input');
  }

  fail(expecting: string): never {
    const found = this.atEnd ? 'end of input' : `"${[...this.text.slice(this.position, this.position + 2)][0] ?? ''}"`;
    throw unparsable(this.#what, this.text, this.position + 1, `unexpected ${found} expecting ${expecting}`);
  }
}
