import * as v from 'valibot';
import { readText } from '#server/http/read-text.ts';
import { invalidRequest, tooLarge } from '../errors.ts';

const MOST_BYTES = 1_048_576;

/** The JSON body of a request, parsed by a schema. An empty body is an empty object, as the client means it. */
export async function readJson<Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const read = await readText(request, MOST_BYTES);
  if (read.outcome === 'too-large') throw tooLarge();
  if (read.outcome === 'not-utf8') throw invalidRequest('The body is not UTF-8');
  let value: unknown;
  try {
    value = read.text === '' ? {} : JSON.parse(read.text);
  } catch (cause) {
    throw invalidRequest('The body is not JSON', cause);
  }
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw invalidRequest(`body/${v.getDotPath(issue) ?? ''} is invalid`);
}
