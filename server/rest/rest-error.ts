/** A sentence, or a list of candidates. */
type ErrorDetails = string | null | readonly Readonly<Record<string, string>>[];

/** A refusal with PostgREST's four keys: `code`, `message`, `details`, `hint`. */
export class RestError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: ErrorDetails;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    status: number,
    message: string,
    {
      details = null,
      hint = null,
      headers = {},
      cause,
    }: {
      details?: ErrorDetails;
      hint?: string | null;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.hint = hint;
    this.headers = headers;
  }

  /** Returns the body, always with all four keys. */
  toJson(): string {
    return JSON.stringify({ code: this.code, details: this.details, hint: this.hint, message: this.message });
  }
}
