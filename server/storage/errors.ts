import { StorageError } from './storage-error.ts';

/**
 * Every refusal of the storage service. Codes, statuses, and messages are those of Supabase Storage. A name in a
 * message is what the caller sent.
 */

export const noSuchBucket = (cause?: unknown) =>
  new StorageError('NoSuchBucket', 404, 'Bucket not found', 'Bucket not found', { cause });

export const noSuchKey = () => new StorageError('NoSuchKey', 404, 'Object not found', 'not_found');

export const fileMissing = () =>
  new StorageError('NoSuchKey', 404, 'The resource was not found', 'Not found', {
    headers: { 'Cache-Control': 'no-store' },
  });

export const accessDenied = (message = 'Access denied', cause?: unknown) =>
  new StorageError('AccessDenied', 403, message, 'Unauthorized', { cause });

export const serviceOnly = () =>
  new StorageError('AccessDenied', 403, 'Access denied', 'Unauthorized', { status: 403 });

export const authorizationMissing = () =>
  new StorageError('InvalidRequest', 400, "headers must have required property 'authorization'", 'Error');

export const alreadyExists = (code: 'ResourceAlreadyExists' | 'BucketAlreadyExists', cause?: unknown) =>
  new StorageError(code, 409, 'The resource already exists', 'Duplicate', { cause });

export const bucketNotEmpty = (cause?: unknown) =>
  new StorageError('ResourceNotEmpty', 409, 'The bucket you tried to delete is not empty', undefined, { cause });

export const mimeTypeNotSupported = (type: string) =>
  new StorageError('InvalidMimeType', 415, `mime type ${type} is not supported`, 'invalid_mime_type');

export const invalidContentType = () =>
  new StorageError('InvalidMimeType', 415, 'Invalid Content-Type header', 'invalid_mime_type');

export const tooLarge = () =>
  new StorageError('EntityTooLarge', 413, 'The object exceeded the maximum allowed size', 'Payload too large');

export const noRoomLeft = (cause?: unknown) =>
  new StorageError('QuotaExceeded', 413, 'The account has no room left for this', 'Payload too large', { cause });

export const invalidBucketName = () =>
  new StorageError('InvalidBucketName', 400, 'Bucket name invalid', 'Invalid Input');

export const invalidKey = (key: string) => new StorageError('InvalidKey', 400, `Invalid key: ${key}`);

export const invalidRequest = (message: string, cause?: unknown) =>
  new StorageError('InvalidRequest', 400, message, undefined, { cause });

export const invalidContinuation = (cause: unknown) =>
  new StorageError('InvalidParameter', 400, 'Invalid Parameter continuation token', undefined, { cause });

export const noContent = () => invalidRequest('No content provided');

export const invalidFileSize = () => invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');

export const invalidSignature = () => new StorageError('InvalidSignature', 400, 'Invalid signature');

export const invalidAddressToken = (message: string, cause?: unknown) =>
  new StorageError('InvalidJWT', 400, message, undefined, { cause });

export const addressExpired = (cause?: unknown) =>
  new StorageError('ExpiredToken', 400, '"exp" claim timestamp check failed', undefined, { cause });

export const rangeNotSatisfiable = (size: number) =>
  new StorageError('InvalidRange', 416, 'The requested range is not satisfiable', undefined, {
    status: 416,
    headers: { 'Content-Range': `bytes */${size}` },
  });

export const notAPicture = (message: string, cause?: unknown) =>
  new StorageError('InvalidPicture', 415, message, 'invalid_mime_type', { cause });

/** As imgproxy and Supabase Storage say it. */
export const notRendered = (cause: unknown) =>
  invalidRequest('The source image is invalid or unsupported for rendering', cause);

export const tooLargeToRender = () => invalidRequest('The source image file is too large to process');

export const slowDown = (retryAfterSeconds: number) =>
  new StorageError('SlowDown', 429, 'Too many pictures. Please try again later.', undefined, {
    status: 429,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });

export const tooManyAtOnce = (cause: unknown) =>
  new StorageError('SlowDown', 429, 'Too many requests at once. Please try again.', undefined, {
    status: 429,
    headers: { 'Retry-After': '2' },
    cause,
  });

export const busy = () =>
  new StorageError('ServiceUnavailable', 503, 'Too many pictures at once. Please try again.', undefined, {
    status: 503,
    headers: { 'Retry-After': '5' },
  });

export const tooManyUploads = () =>
  new StorageError('ServiceUnavailable', 503, 'Too many uploads at once. Please try again.', undefined, {
    status: 503,
    headers: { 'Retry-After': '5' },
  });

/** Clients repeat a 503 soon. A disk stays full until somebody makes room. */
export const diskFull = (cause: unknown) =>
  new StorageError('InsufficientStorage', 507, 'The server has no room for files at the moment', undefined, {
    status: 507,
    cause,
  });

/** For a route that the service does not have. */
export const notOffered = (what: string) =>
  new StorageError('FeatureNotEnabled', 404, `${what} is not offered by this service`, undefined, { status: 404 });

/** For a choice that the service does not have, on a route that it has. */
export const choiceNotOffered = (what: string) =>
  new StorageError('FeatureNotEnabled', 422, `${what} is not offered by this service`, undefined, { status: 422 });

export const noSuchRoute = (method: string, path: string) =>
  new StorageError('NoSuchRoute', 404, `Route ${method}:${path} not found`, 'Not Found', { status: 404 });

export const databaseTimeout = (cause: unknown) =>
  new StorageError('DatabaseTimeout', 544, 'The connection to the database timed out', undefined, {
    status: 544,
    cause,
  });

export const unavailable = (cause: unknown) =>
  new StorageError('ServiceUnavailable', 503, 'The storage does not respond at the moment', undefined, {
    status: 503,
    headers: { 'Retry-After': '2' },
    cause,
  });

export const unexpected = (cause: unknown) =>
  new StorageError('InternalError', 500, 'Internal server error', undefined, { status: 500, cause });
