import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { isForeignForm } from '#server/http/is-foreign-form.ts';
import { readText } from '#server/http/read-text.ts';
import { AuthError } from './auth-error.ts';

const LARGEST_BODY_BYTES = 1_048_576;
/** Deeper than anything that a person's metadata needs, and far from where recursion ends. */
const DEEPEST_NESTING = 32;

/** A schema whose issues say in words what is wrong with a field. */
type BodySchema = v.GenericSchema<unknown, unknown>;

/**
 * The JSON body, checked once here. Fields that a schema does not name are ignored. Throws an AuthError for a body
 * that is too large (413), is no JSON object, holds text that PostgreSQL cannot store, or does not fit the schema.
 * Where it may be empty, no body at all is an empty object.
 */
export async function readBody<Schema extends BodySchema>(
  c: Context<AppEnv>,
  schema: Schema,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Promise<v.InferOutput<Schema>> {
  if (isForeignForm(c.req.raw.headers)) {
    throw new AuthError('bodyNotJson', { detail: 'Content-Type must be application/json' });
  }
  const read = await readText(c.req.raw, LARGEST_BODY_BYTES);
  if (read.outcome === 'too-large') throw new AuthError('bodyTooLarge');
  if (read.outcome === 'not-utf8') throw new AuthError('bodyNotJson', { detail: 'it is not UTF-8' });
  const body = parseObject(mayBeEmpty && read.text === '' ? '{}' : read.text);
  requireStorable(body);
  const parsed = v.safeParse(schema, body, { abortEarly: true });
  if (!parsed.success) throw new AuthError('fieldMalformed', { detail: describe(parsed.issues[0]) });
  return parsed.output;
}

function parseObject(text: string): object {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new AuthError('bodyNotJson', { detail: text === '' ? 'it is empty' : 'invalid JSON', cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AuthError('bodyNotJson', { detail: 'it must be an object' });
  }
  return body;
}

/** Refuses what PostgreSQL's text and jsonb cannot hold: NUL and halves of surrogate pairs; and what is too deep. */
function requireStorable(body: object): void {
  const waiting: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') requireText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > DEEPEST_NESTING) throw new AuthError('fieldMalformed', { detail: 'The body is nested too deeply' });
    for (const [key, member] of Object.entries(value)) {
      requireText(key);
      waiting.push({ value: member, depth: depth + 1 });
    }
  }
}

function requireText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new AuthError('fieldMalformed', { detail: 'Text must not hold NUL or unpaired surrogates' });
  }
}

function describe(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null
    ? 'The body is malformed'
    : `${path} must be ${issue.type === 'custom' ? issue.message : issue.expected}`;
}
