import { readText } from '#server/http/read-text.ts';
import { bodyTooLarge, invalidBody, notText } from './errors.ts';
import type { FunctionArgument } from './schema-cache/schema.ts';

const LARGEST_BODY_BYTES = 1_048_576;
/** Deeper than any row of ours, far from where PostgreSQL's own reader ends. */
const DEEPEST_NESTING = 64;

/** The body of a request that writes or calls: its text, which PostgreSQL reads itself, and what stands in it. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

const JSON_TYPES = /^application\/(json|vnd\.pgrst\.(object|array)(\+json)?)\s*(;|$)/i;

/** Throws PGRST102 for a body that is not JSON by its own word, no UTF-8, or too large. */
export async function readBodyText(request: Request): Promise<string> {
  const read = await readText(request, LARGEST_BODY_BYTES);
  if (read.outcome === 'too-large') throw bodyTooLarge(LARGEST_BODY_BYTES);
  if (read.outcome === 'not-utf8') throw invalidBody();
  // A page of another site can send a form or plain text without asking; JSON it cannot (Fetch standard, CORS).
  const type = request.headers.get('content-type');
  if (read.text !== '' && !JSON_TYPES.test(type ?? '')) {
    throw invalidBody(`Content-Type not acceptable: ${type ?? 'none'}`);
  }
  return read.text;
}

/** Throws PGRST102 for what is no JSON, nests too deeply or holds text that PostgreSQL cannot store. */
export async function readJsonBody(request: Request): Promise<JsonBody> {
  const text = await readBodyText(request);
  return { text, value: parseJsonText(text) };
}

/** Numbers that a double cannot hold exactly keep the digits that they were sent with. */
export function parseJsonText(text: string): unknown {
  requireShallow(text);
  try {
    return MANY_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw invalidBody();
  }
}

const MANY_DIGITS = /\d{16}|\d[eE]/;

function keepDigits(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? new ExactNumber(context.source) : value;
}

/** A number in the words of the request; in JSON text it stands as it came. */
class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): unknown {
    return rawJson(this.digits);
  }
}

// ECMAScript's JSON.rawJSON, which the runtime has and TypeScript's library does not name yet.
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** A row: an object whose keys are columns. */
export function asRow(value: unknown): Record<string, unknown> {
  if (!isRow(value)) throw invalidBody();
  return value;
}

/** Whether it is a JSON object: it has text keys and whatever values. */
export function isRow(value: unknown): value is Record<string, unknown> {
  return isStructure(value) && !Array.isArray(value);
}

/** Throws 22P02 where a text is given as an object or a list. */
export function requireTexts(
  rows: readonly Record<string, unknown>[],
  isText: (name: string) => boolean | undefined,
): void {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row))
      if (isStructure(value) && isText(name) === true) throw notText(name);
  }
}

/** The text form in which PostgreSQL reads a JSON value as an argument of any type. */
export function asArgument(value: unknown, { name, type, isText }: FunctionArgument): unknown {
  if (value === null) return null;
  if (type === 'json' || type === 'jsonb') return requireText(JSON.stringify(value));
  if (isText && isStructure(value)) throw notText(name);
  if (Array.isArray(value))
    return value.map((element) => (typeof element === 'string' ? requireText(element) : element));
  if (typeof value === 'object') return requireText(JSON.stringify(value));
  return requireText(String(value));
}

/** An object or a list of JSON. */
function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

function requireText(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) throw invalidBody('Text must not hold NUL or unpaired surrogates');
  return text;
}

/** Counts brackets outside of texts, so that nothing that reads the value later needs a stack for it. */
function requireShallow(text: string): void {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (inText) {
      if (character === BACKSLASH) at += 1;
      else if (character === QUOTE) inText = false;
    } else if (character === QUOTE) inText = true;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      depth += 1;
      if (depth > DEEPEST_NESTING) throw invalidBody('The body is nested too deeply');
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
