import { readText } from '#server/http/read-text.ts';
import { bodyTooLarge, invalidBody } from './errors.ts';

const LARGEST_BODY_BYTES = 1_048_576;
/** Deeper than any row of ours, far from where PostgreSQL's own reader ends. */
const DEEPEST_NESTING = 64;

/** The body of a request that writes or calls: its text, which PostgreSQL reads itself, and what stands in it. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

/** Throws PGRST102 for what is no JSON, nests too deeply or holds text that PostgreSQL cannot store. */
export async function readJsonBody(request: Request): Promise<JsonBody> {
  const read = await readText(request, LARGEST_BODY_BYTES);
  if (read.outcome === 'too-large') throw bodyTooLarge(LARGEST_BODY_BYTES);
  if (read.outcome === 'not-utf8') throw invalidBody();
  const { text } = read;
  requireShallow(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidBody();
  }
  return { text, value };
}

/** A row: an object whose keys are columns. */
export function asRow(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidBody();
  // A JSON object has text keys and whatever values.
  return value as Record<string, unknown>;
}

/** The text form in which PostgreSQL reads a JSON value as an argument of any type. */
export function asArgument(value: unknown, type: string): unknown {
  if (value === null) return null;
  if (type === 'json' || type === 'jsonb') return requireText(JSON.stringify(value));
  if (Array.isArray(value))
    return value.map((element) => (typeof element === 'string' ? requireText(element) : element));
  if (typeof value === 'object') return requireText(JSON.stringify(value));
  return requireText(String(value));
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
