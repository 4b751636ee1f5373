import * as v from 'valibot';
import { unreadableRaise } from './errors.ts';
import { RestError } from './rest-error.ts';

const messageSchema = v.object({
  code: v.string(),
  message: v.string(),
  details: v.optional(v.nullable(v.string()), null),
  hint: v.optional(v.nullable(v.string()), null),
});

const detailSchema = v.object({
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(
    v.record(
      v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,100}$/)),
      v.pipe(v.string(), v.regex(/^[\t\x20-\x7e]{0,8000}$/)),
    ),
    {},
  ),
});

/**
 * Reads `raise sqlstate 'PGRST' using message = '{"code": …}', detail = '{"status": …}'`, with which a function defines
 * its own error.
 */
export function raisedError(message: string, detail: string | null, cause: unknown): RestError {
  const raised = v.safeParse(messageSchema, parseJson(message));
  const how = v.safeParse(detailSchema, parseJson(detail ?? ''));
  if (!raised.success || !how.success) return unreadableRaise(cause);
  const { code, details, hint } = raised.output;
  const { status, headers } = how.output;
  return new RestError(code, status, raised.output.message, { details, hint, headers, cause });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
