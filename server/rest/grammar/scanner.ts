import { tooComplex, unparsable } from '../errors.ts';

/** How deep selects and logic trees may nest: more than any screen asks, less than any stack holds. */
const DEEPEST = 20;

const BARE_NAME = /[\p{L}\p{N}_$ ]+(?:-(?!>)[\p{L}\p{N}_$ ]*)*/uy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy;
const INTEGER = /-?\d{1,9}(?![\p{L}\p{N}_$])/uy;

/** A place in a text that is being parsed, and the words for what is wrong there. */
export class Scanner {
  position = 0;
  readonly text: string;
  #what: string;
  #depth = 0;

  /** `what` names the text in errors: `select parameter`, `filter`. */
  constructor(text: string, what: string) {
    this.text = text;
    this.#what = what;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** Whether the literal stands here; passes over it if so. */
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

  /** The first of the words that stands here and is followed by one of the literals; passes over the word only. */
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

  /** A name: bare, or in double quotes. */
  name(): string {
    const quoted = this.quoted();
    if (quoted !== null) return quoted;
    const bare = this.match(BARE_NAME)?.[0].trim();
    if (bare === undefined || bare === '') return this.fail('a field name');
    return bare;
  }

  /** A text in double quotes, where a backslash takes the next character as it is; null if none stands here. */
  quoted(): string | null {
    const inside = this.match(QUOTED)?.[1];
    return inside === undefined ? null : inside.replace(/\\(.)/gsu, '$1');
  }

  integer(): number | null {
    const digits = this.match(INTEGER)?.[0];
    return digits === undefined ? null : Number(digits);
  }

  /** Matches a sticky expression here and passes over it. */
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

  /** Items between commas, at least one. */
  list<Item>(item: () => Item): Item[] {
    const items = [item()];
    while (this.eat(',')) items.push(item());
    return items;
  }

  /** Parses something that may hold its like, to a bounded depth. */
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
