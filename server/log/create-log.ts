import pino, { type DestinationStream, type Logger } from 'pino';

import { boundRepeats } from './bound-repeats.ts';
import { errorContextOf } from './error-context.ts';
import { openLogOutput } from './log-output.ts';

/**
 * Fields that may contain a secret, a code or contact details. They are redacted up to two levels deep. This is a
 * second line of defense: such fields should not be logged at all.
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

/** The least of pino's levels that is bounded. */
const WARNING = 40;

export interface LogOptions {
  readonly level: string;
  /** The number of this process, where several write one log. Each line has it. */
  readonly process?: number;
  readonly destination?: DestinationStream;
  /** Milliseconds, from any origin. */
  readonly now?: () => number;
}

/**
 * Creates the log: one JSON object per line. Database errors keep their code and lose what may name a row or a value.
 * Warnings and errors of one message are bounded: the next written line says how many were left out.
 */
export function createLog({ level, destination, process, now = () => performance.now() }: LogOptions): Logger {
  const judge = boundRepeats(now);
  const options = {
    level,
    base: process === undefined ? null : { process },
    timestamp: isoTime,
    redact: { paths: REDACTED.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    serializers: { err: serializeError },
    hooks: {
      logMethod(this: Logger, words: Parameters<pino.LogFn>, write: pino.LogFn, severity: number) {
        const [fields, message] = words as unknown[];
        if (severity < WARNING || typeof message !== 'string') return write.apply(this, words);
        const verdict = judge(message);
        if (!verdict.written) return;
        if (verdict.leftOut === 0) return write.apply(this, words);
        write.apply(this, [{ ...(fields as object), leftOut: verdict.leftOut }, message]);
      },
    },
  };
  return pino(options, destination ?? openLogOutput({ isShared: process !== undefined }));
}

let lastMs = Number.NaN;
let lastTime = '';

/**
 * The same bytes as pino's own timestamp, cached per millisecond: a busy server writes many lines in one, and
 * formatting is half the cost of a line.
 */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
}

/**
 * PostgreSQL puts values of rows into `detail`, `where` and, for data errors (classes 22 and 23), the message. The names
 * that the error is about are kept: the table, the column, the constraint, and the functions, such as a trigger's.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const holdsValues = code !== undefined && /^2[23]/.test(code);
  return {
    type: error.name,
    ...(code === undefined ? {} : { sqlstate: code }),
    message: holdsValues ? '[redacted]' : error.message,
    stack: holdsValues ? undefined : error.stack,
    ...errorContextOf(error),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
    // Of a host with several addresses, one for each. The error itself says nothing.
    ...(error instanceof AggregateError ? { errors: error.errors.map(serializeError) } : {}),
  };
}
