import pino, { type DestinationStream, type Logger } from 'pino';
import { openLogOutput } from './log-output.ts';

/**
 * Fields that may hold a secret, a code or a way to reach a person. They are cut wherever they stand, one and two
 * levels deep; nobody should log them in the first place.
 */
const REDACTED = [
  'authorization',
  'apikey',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'token_hash',
  'code',
  'otp',
  'email',
  'phone',
  'to',
  'recipient',
  'body',
  'text',
  'qr_id',
];

export interface LogOptions {
  readonly level: string;
  readonly destination?: DestinationStream;
}

/** Structured lines, one JSON object each. Database errors keep their code and lose whatever names a row or a value. */
export function createLog({ level, destination }: LogOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: isoTime,
    redact: { paths: REDACTED.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    serializers: { err: serializeError },
  };
  return pino(options, destination ?? openLogOutput());
}

let lastMs = Number.NaN;
let lastTime = '';

/** As pino's own, for the same bytes: a busy server writes many lines in a millisecond, and the text is half of a line's cost. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
}

/** PostgreSQL puts values of rows into `detail`, `where` and sometimes the message of data errors (class 22 and 23). */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const holdsValues = code !== undefined && /^2[23]/.test(code);
  return {
    type: error.name,
    ...(code === undefined ? {} : { sqlstate: code }),
    message: holdsValues ? '[redacted]' : error.message,
    stack: holdsValues ? undefined : error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
