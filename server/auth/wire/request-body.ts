import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { isForeignForm } from '#server/http/is-foreign-form.ts';
import { readText } from '#server/http/read-text.ts';
import { AuthError } from './auth-error.ts';

/** Eight times the most metadata, the largest part of any body. Parsing and checking 1 MiB takes up to 0.25 s. */
const LARGEST_BODY_BYTES = 65_536;
/** Deeper than any legitimate metadata, and far below the recursion limit. */
const DEEPEST_NESTING = 32;

/** A schema whose issues describe the invalid field. */
type BodySchema = v.GenericSchema<unknown, unknown>;

/**
 * Reads and validates a JSON body. Fields that the schema does not name are ignored. With `mayBeEmpty`, a missing body
 * is an empty object.
 *
 * Throws an AuthError for a body that is too large (413), is not a JSON object, contains text PostgreSQL cannot store,
 * or does not match the schema.
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

/** Rejects what PostgreSQL's text and jsonb cannot store, NUL and unpaired surrogates, and excessive nesting. */
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

/** Optional text: absent, null and empty are equal, as in the reference server. */
export const text = v.nullish(v.string(), '');

/** An arbitrary JSON object. */
export const data = v.nullish(
  v.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'an object',
  ),
);

export const flag = (fallback: boolean) => v.nullish(v.boolean(), fallback);

/** The proof key (RFC 7636) that every request for a code may carry. */
export const challenge = { code_challenge: text, code_challenge_method: text };

/**
 * Throws where a proof key is incomplete or malformed. Only S256 is accepted: `plain` exposes the verifier to any
 * observer of the request (RFC 9700, section 2.1.1). A 6-digit code is typed into the app that requested it and needs
 * no key.
 */
export function requireWellFormedChallenge(body: {
  readonly code_challenge: string;
  readonly code_challenge_method: string;
}): void {
  const { code_challenge: value, code_challenge_method: method } = body;
  if (value === '' && method === '') return;
  if (value === '' || method === '') throw new AuthError('challengeIncomplete');
  if (!/^[A-Za-z0-9_-]{43}$/.test(value) || method.toLowerCase() !== 's256') {
    throw new AuthError('challengeMalformed');
  }
}

/** Throws for an unknown channel, or a channel without a phone number. */
export function requireChannel(channel: string, phone: string): void {
  if (channel !== '' && channel !== 'sms' && channel !== 'whatsapp') throw new AuthError('channelUnknown');
  if (channel !== '' && phone === '') throw new AuthError('channelNeedsPhone');
}
