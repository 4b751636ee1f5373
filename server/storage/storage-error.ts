interface StorageErrorDetails {
  /** The HTTP status, where it is not 400, the status of most refusals. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal in the storage service's shape (docs/protocol/storage.md, Errors). */
export class StorageError extends Error {
  readonly code: string;
  /** The status in the body. */
  readonly statusCode: number;
  /** A short form of the message. */
  readonly error: string;
  /** The HTTP status. */
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
