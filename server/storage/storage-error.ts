interface StorageErrorDetails {
  /** Where the HTTP status is another than 400, which every refusal of an application answers with. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An answer that says why a request was refused, in the shape of wire contract section 3.1. */
export class StorageError extends Error {
  readonly code: string;
  /** The status that stands in the body. */
  readonly statusCode: number;
  /** The short form of what is the matter. */
  readonly error: string;
  /** The status of the HTTP answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    statusCode: number,
    message: string,
    error = code,
    { status = 400, headers = {}, cause }: StorageErrorDetails = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.statusCode = statusCode;
    this.error = error;
    this.status = status;
    this.headers = headers;
  }

  toJson(): string {
    const { code, statusCode, error, message } = this;
    return JSON.stringify({ statusCode: String(statusCode), error, message, code });
  }
}
