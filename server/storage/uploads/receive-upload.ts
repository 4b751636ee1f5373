import { dropBody } from '#server/http/drop-body.ts';
import type { SpooledFile } from '../blobs/blob-store.ts';
import type { Spool } from '../blobs/spool.ts';
import { invalidContentType, invalidRequest, noContent, tooLarge } from '../errors.ts';
import { readUserMetadata, type UserMetadata, userMetadataOf } from '../wire/user-metadata.ts';
import { announcedBytes } from './announced-bytes.ts';
import { chunksOf } from './chunks-of.ts';
import { boundaryOf, MalformedMultipart, readParts } from './multipart.ts';

export interface ReceivedUpload {
  readonly file: SpooledFile;
  readonly contentType: string;
  /** The Cache-Control header to serve it with. */
  readonly cacheControl: string;
  readonly userMetadata: UserMetadata | null;
}

export interface UploadBounds {
  /** The network address that it comes from. */
  readonly address: string;
  readonly mostBytes: number;
  /** Throws where the announced type is not accepted. */
  readonly requireType: (contentType: string) => void;
}

/** Takes a place in the spool, and fills it. */
type Receive = (content: AsyncIterable<Uint8Array>) => Promise<SpooledFile>;

/** Allowance for the fields and delimiters around a file in a form, in bytes. */
const FORM_BYTES = 65_536;
const FIELD_BYTES = 32_768;

/**
 * Receives the single file of an upload into the spool: from a form (the client's Blob, File and FormData) or as the
 * raw body (its Buffer, text and stream). The caller must drop the spooled file.
 */
export async function receiveUpload(request: Request, spool: Spool, bounds: UploadBounds): Promise<ReceivedUpload> {
  const { body, headers } = request;
  if (body === null) throw noContent();
  const announced = announcedBytes(headers);
  if ((announced ?? 0) > bounds.mostBytes + FORM_BYTES) throw tooLarge();
  const receive: Receive = (content) =>
    spool.receive(content, bounds.mostBytes, { kind: 'account', address: bounds.address, announced });
  const contentType = headers.get('content-type') ?? 'text/plain;charset=UTF-8';
  const boundary = boundaryOf(contentType);
  const reader = body.getReader();
  try {
    const received =
      boundary === null
        ? await receiveRaw(chunksOf(reader), headers, contentType, receive, bounds)
        : await receiveForm(chunksOf(reader), boundary, receive, spool, bounds);
    reader.releaseLock();
    return received;
  } catch (error) {
    reader.releaseLock();
    // The rest of the body is read first; otherwise the client may not receive the refusal.
    await dropBody(body);
    throw error instanceof MalformedMultipart ? invalidRequest('The form is malformed', error) : error;
  }
}

async function receiveRaw(
  body: AsyncIterable<Uint8Array>,
  headers: Headers,
  contentType: string,
  receive: Receive,
  { requireType }: UploadBounds,
): Promise<ReceivedUpload> {
  requireMediaType(contentType);
  requireType(contentType);
  const userMetadata = userMetadataOf(headers);
  const cacheControl = readCacheControl(headers.get('cache-control'));
  return { file: await receive(body), contentType, cacheControl, userMetadata };
}

async function receiveForm(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  receive: Receive,
  spool: Pick<Spool, 'drop'>,
  { requireType }: UploadBounds,
): Promise<ReceivedUpload> {
  let cacheControl = readCacheControl(null);
  let userMetadata: UserMetadata | null = null;
  let received: Pick<ReceivedUpload, 'file' | 'contentType'> | undefined;
  try {
    for await (const { name, fileName, contentType = 'application/octet-stream', content } of readParts(
      body,
      boundary,
    )) {
      if (fileName !== undefined) {
        if (received !== undefined) throw invalidRequest('One file may be sent at a time');
        requireMediaType(contentType);
        requireType(contentType);
        received = { file: await receive(content), contentType };
      } else if (name === 'cacheControl') cacheControl = readCacheControl(`max-age=${await readField(content)}`);
      else if (name === 'metadata') userMetadata = readUserMetadata(await readField(content));
    }
    if (received === undefined) throw noContent();
    return { ...received, cacheControl, userMetadata };
  } catch (error) {
    if (received !== undefined) await spool.drop(received.file);
    throw error;
  }
}

async function readField(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > FIELD_BYTES) throw invalidRequest('A field of the form is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A media type with optional parameters (RFC 9110, section 8.3.1). Throws InvalidContentType for another text. */
export function requireMediaType(text: string): void {
  if (text.length > 255 || !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;[\x20-\x7e]*)?$/.test(text)) throw invalidContentType();
}

/** Returns what is sent as `Cache-Control`; `no-cache` for what is not one. */
export function readCacheControl(text: string | null): string {
  return text !== null && /^[a-z0-9=, -]{1,100}$/i.test(text) ? text : 'no-cache';
}
