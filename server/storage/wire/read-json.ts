import * as v from 'valibot';
import { isForeignForm } from '#server/http/is-foreign-form.ts';
import { readText } from '#server/http/read-text.ts';
import { invalidRequest, tooLarge } from '../errors.ts';

const MOST_BYTES = 1_048_576;

/** Reads a JSON body and validates it. An empty body counts as an empty object, as the official client expects. */
export async function readJson<Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  if (isForeignForm(request.headers)) throw invalidRequest('Content-Type must be application/json');
  const read = await readText(request, MOST_BYTES);
  if (read.outcome === 'too-large') throw tooLarge();
  if (read.outcome === 'not-utf8') throw invalidRequest('The body is not UTF-8');
  let value: unknown;
  try {
    value = read.text === '' ? {} : JSON.parse(read.text);
  } catch (cause) {
    throw invalidRequest('The body is not JSON', cause);
  }
  // An array would pass as an object without fields.
  if (Array.isArray(value)) throw invalidRequest('body must be object');
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw invalidRequest(`body/${v.getDotPath(issue) ?? ''} is invalid`);
}
