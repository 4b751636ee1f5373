import { rangeNotSatisfiable, repeatedParameter, unparsable } from '../errors.ts';
import { parseFilter, parseLogic } from './parse-condition.ts';
import { parseFieldPath } from './parse-field-path.ts';
import { parseOrder } from './parse-order.ts';
import type { Scanner } from './scanner.ts';
import type { Condition, Shape } from './tree.ts';

const ONCE = ['order', 'limit', 'offset'] as const;
type Once = (typeof ONCE)[number];

const LOGIC = {
  'not.and': { kind: 'and', negated: true },
  'not.or': { kind: 'or', negated: true },
  and: { kind: 'and', negated: false },
  or: { kind: 'or', negated: false },
} as const;
// The keys of the object literal above.
const LOGIC_WORDS = Object.keys(LOGIC) as (keyof typeof LOGIC)[];

const END = [''];

/** Whether the rest of a parameter's name is a keyword and not a column's name. */
export function isShapeWord(scanner: Scanner): boolean {
  const start = scanner.position;
  const word = scanner.eatWord(ONCE, END) ?? scanner.eatWord(LOGIC_WORDS, END);
  scanner.position = start;
  return word !== null;
}

/** Collects the parameters of one relation. */
export class ShapeReader {
  #once = new Map<Once, string>();
  #conditions: Condition[] = [];

  /** Adds a parameter. `scanner` is positioned in its name, after the path to the relation. */
  read(scanner: Scanner, name: string, value: string): void {
    const once = scanner.eatWord(ONCE, END);
    if (once !== null) {
      if (this.#once.has(once)) throw repeatedParameter(name);
      this.#once.set(once, value);
      return;
    }
    const word = scanner.eatWord(LOGIC_WORDS, END);
    if (word !== null) {
      this.#conditions.push(parseLogic(LOGIC[word].kind, LOGIC[word].negated, value));
      return;
    }
    const path = parseFieldPath(scanner);
    scanner.expectEnd();
    this.#conditions.push(parseFilter(path, value));
  }

  shape(): Shape {
    return {
      conditions: this.#conditions,
      order: parseOrder(this.#once.get('order') ?? ''),
      limit: parseCount('limit', this.#once.get('limit')),
      offset: parseCount('offset', this.#once.get('offset')) ?? 0,
    };
  }
}

/** Larger than any table, and small enough to be an exact integer. */
const COUNT = /^\d{1,15}$/;

function parseCount(name: string, text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (COUNT.test(text)) return Number(text);
  if (/^-\d+$/.test(text)) throw rangeNotSatisfiable(`The ${name} is negative.`);
  throw unparsable(`${name} parameter`, text, 1, `unexpected "${[...text][0] ?? ''}" expecting integer`);
}
