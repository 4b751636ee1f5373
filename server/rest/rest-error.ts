/** A sentence, or what a list of candidates is made of. */
type ErrorDetails = string | null | readonly Readonly<Record<string, string>>[];

/** An answer that says why a request was refused: PostgREST's four keys, in wire contract section 2.3. */
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

  /** The body; all four keys, always. */
  toJson(): string {
    return JSON.stringify({ code: this.code, details: this.details, hint: this.hint, message: this.message });
  }
}
