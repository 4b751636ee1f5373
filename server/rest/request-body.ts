import { readText } from '#server/http/read-text.ts';
import { bodyTooLarge, invalidBody, notText } from './errors.ts';
import type { FunctionArgument } from './schema-cache/schema.ts';

export const LARGEST_BODY_BYTES = 1_048_576;
/** In characters, for the body of a function call with numbers that are kept digit by digit. */
const LARGEST_EXACT_BODY = 65_536;
/** A double represents every number of 15 digits exactly. */
const LONG_NUMBER = 16;
/** Deeper than any row of ours, and well below the limit of PostgreSQL's parser. */
const DEEPEST_NESTING = 64;

/** The body of a request: its text, which is passed to PostgreSQL, and its parsed value. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

const JSON_TYPES = /^application\/(json|vnd\.pgrst\.(object|array)(\+json)?)\s*(;|$)/i;

/** Throws PGRST102 where the body has no JSON content type, is not UTF-8, or is too large. */
export async function readBodyText(request: Request): Promise<string> {
  const read = await readText(request, LARGEST_BODY_BYTES);
  if (read.outcome === 'too-large') throw bodyTooLarge(LARGEST_BODY_BYTES);
  if (read.outcome === 'not-utf8') throw invalidBody();
  // A cross-site page can send forms and plain text without a preflight, but not JSON (Fetch standard, CORS-safelisted
  // request-header).
  const type = request.headers.get('content-type');
  if (read.text !== '' && !JSON_TYPES.test(type ?? '')) {
    throw invalidBody(`Content-Type not acceptable: ${type ?? 'none'}`);
  }
  return read.text;
}

/** Throws PGRST102 where the body is not JSON, nests too deeply or contains text that PostgreSQL cannot store. */
export async function readJsonBody(request: Request): Promise<JsonBody> {
  const text = await readBodyText(request);
  inspect(text);
  return { text, value: parseText(text) };
}

/**
 * Parses the body of a function call. Numbers that a double cannot represent exactly keep their digits, for which the
 * parser visits every value: a body with such numbers is bounded more tightly.
 */
export function parseExactJson(text: string): unknown {
  if (!inspect(text).hasLongNumbers) return parseText(text);
  if (text.length > LARGEST_EXACT_BODY) throw bodyTooLarge(LARGEST_EXACT_BODY);
  return parseText(text, keepDigits);
}

function parseText(text: string, reviver?: typeof keepDigits): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw invalidBody();
  }
}

function keepDigits(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? new ExactNumber(context.source) : value;
}

/** A number with the digits of the request, which it keeps when serialized. */
class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): unknown {
    return rawJson(this.digits);
  }
}

// `JSON.rawJSON` (ECMAScript) exists in the runtime but not yet in TypeScript's library.
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Requires a JSON object whose keys are columns. Throws PGRST102 otherwise. */
export function asRow(value: unknown): Record<string, unknown> {
  if (!isRow(value)) throw invalidBody();
  return value;
}

/** Whether the value is a JSON object. */
export function isRow(value: unknown): value is Record<string, unknown> {
  return isStructure(value) && !Array.isArray(value);
}

/** Throws 22P02 where an object or an array is given for a text column. */
export function requireTexts(
  rows: readonly Record<string, unknown>[],
  isText: (name: string) => boolean | undefined,
): void {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row))
      if (isStructure(value) && isText(name) === true) throw notText(name);
  }
}

/** Returns the form of a JSON value from which PostgreSQL reads an argument of any type: a text, or a list of texts. */
export function asArgument(value: unknown, { name, type, isText, fromJson }: FunctionArgument): unknown {
  // A field of a JSON object (sql/call-plan.ts). A text in it is read as PostgreSQL's own literal.
  if (fromJson) return requireText(JSON.stringify({ value }));
  if (value === null) return null;
  if (type === 'json' || type === 'jsonb') return requireText(JSON.stringify(value));
  if (isText && isStructure(value)) throw notText(name);
  if (Array.isArray(value))
    return value.map((element) => (typeof element === 'string' ? requireText(element) : element));
  if (typeof value === 'object') return requireText(JSON.stringify(value));
  return requireText(String(value));
}

/** Whether the value is a JSON object or array. */
function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** Throws PGRST102 for text that PostgreSQL cannot store. */
export function requireText(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) throw invalidBody('Text must not hold NUL or unpaired surrogates');
  return text;
}

/**
 * Bounds the nesting by counting brackets outside of strings, so that no later parser needs a deep stack. Returns
 * whether there are numbers that a double may not represent exactly: those of 16 digits and more, or with an exponent.
 */
function inspect(text: string): { readonly hasLongNumbers: boolean } {
  let depth = 0;
  let digits = 0;
  let inText = false;
  let hasLongNumbers = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (inText) {
      if (character === BACKSLASH) at += 1;
      else if (character === QUOTE) inText = false;
      continue;
    }
    if (character >= DIGIT_0 && character <= DIGIT_9) {
      digits += 1;
      if (digits >= LONG_NUMBER) hasLongNumbers = true;
      continue;
    }
    if (digits > 0 && (character === SMALL_E || character === CAPITAL_E)) hasLongNumbers = true;
    // The digits after a point belong to the same number.
    if (character !== POINT) digits = 0;
    if (character === QUOTE) inText = true;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      depth += 1;
      if (depth > DEEPEST_NESTING) throw invalidBody('The body is nested too deeply');
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
  }
  return { hasLongNumbers };
}

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const SMALL_E = 0x65;
const CAPITAL_E = 0x45;
const POINT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
