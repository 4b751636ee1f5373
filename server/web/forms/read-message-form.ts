import type { Context } from 'hono';
import type { PhotoProblem } from '#server/conversations/message-photos.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { dropBody } from '#server/http/drop-body.ts';
import type { SpooledFile } from '#server/storage/blobs/blob-store.ts';
import type { Spool } from '#server/storage/blobs/spool.ts';
import { StorageError } from '#server/storage/storage-error.ts';
import { chunksOf } from '#server/storage/uploads/chunks-of.ts';
import { boundaryOf, MalformedMultipart, readParts } from '#server/storage/uploads/multipart.ts';
import { withoutTimeLimit } from '#server/web/checks/respond-in-time.ts';
import { MOST_FORM_BYTES, type ReadForm, readForm, requireFields } from './read-form.ts';

/** Takes a photo that begins to arrive, or says why not. It may leave the content unread. */
export type TakePhoto = (content: AsyncIterable<Uint8Array>) => Promise<SpooledFile | PhotoProblem>;

export interface FormPhotoOptions {
  readonly spool: Pick<Spool, 'drop'>;
  readonly take: TakePhoto;
}

/** The photo of a form. Null where none was chosen. The caller drops the file. */
export type FormPhoto = SpooledFile | PhotoProblem | null;

export type ReadMessageForm =
  | (Extract<ReadForm, { readonly fields: unknown }> & { readonly photo: FormPhoto })
  | {
      readonly status: 413 | 415 | 400;
    };

/** A larger body is broken off. A camera's own picture may be larger than what is kept, and must not cost the text. */
const MOST_BYTES = 48 * 1024 * 1024;

/**
 * Reads the form of a message: URL-encoded, as the script sends it, or multipart with at most one file, as a browser
 * without the script does. A file that is not kept is read and discarded, so that the text arrives.
 */
export async function readMessageForm(c: Context<AppEnv>, options: FormPhotoOptions): Promise<ReadMessageForm> {
  const boundary = boundaryOf(c.req.header('content-type') ?? '');
  if (boundary === null) {
    const form = await readForm(c);
    return 'status' in form ? form : { ...form, photo: null };
  }
  const { body } = c.req.raw;
  if (body === null) return { status: 400 };
  if (Number(c.req.header('content-length') ?? 0) > MOST_BYTES) {
    await dropBody(body);
    return { status: 413 };
  }
  const reader = body.getReader();
  const read = await withoutTimeLimit(c, () => readMultipart(chunksOf(reader), boundary, options));
  reader.releaseLock();
  if ('status' in read) await dropBody(body);
  else c.set('sentForm', { fields: read.fields, hasPhoto: read.photo !== null });
  return read;
}

async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  options: FormPhotoOptions,
): Promise<ReadMessageForm> {
  const fields = new URLSearchParams();
  let photo: FormPhoto = null;
  let room = MOST_FORM_BYTES;
  const refused = async (status: 400 | 413): Promise<ReadMessageForm> => {
    await dropPhoto(options.spool, photo);
    return { status };
  };
  try {
    for await (const { name, fileName, content } of readParts(bounded(body), boundary)) {
      if (fileName !== undefined) {
        if (photo !== null) return await refused(400);
        photo = await receivePhoto(content, options.take);
        continue;
      }
      const bytes = await readUpTo(content, room);
      if (bytes === null) return await refused(413);
      room -= bytes.length;
      fields.append(name, UTF8.decode(bytes));
    }
  } catch (error) {
    if (error instanceof BodyTooLarge) return refused(413);
    // A TypeError is text that is not UTF-8, and a StorageError a client that broke off.
    const isBadRequest =
      error instanceof MalformedMultipart || error instanceof TypeError || error instanceof StorageError;
    const refusal = await refused(400);
    if (!isBadRequest) throw error;
    return refusal;
  }
  const checked = requireFields(fields);
  return 'status' in checked ? refused(400) : { ...checked, photo };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

class BodyTooLarge extends Error {}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new BodyTooLarge();
    yield chunk;
  }
}

/** Returns null where there is more than `most` bytes. */
async function readUpTo(content: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Takes the photo, unless none was chosen. What is not read of it is discarded before the next part. */
async function receivePhoto(content: AsyncIterable<Uint8Array>, take: TakePhoto): Promise<FormPhoto> {
  const chunks = content[Symbol.asyncIterator]();
  const first = await chunks.next();
  // A browser sends an empty file where none was chosen.
  if (first.done === true) return null;
  async function* whole(): AsyncGenerator<Uint8Array> {
    for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
  }
  return take(whole());
}

/** Removes the file of a photo that is no longer needed. */
export async function dropPhoto(spool: Pick<Spool, 'drop'>, photo: FormPhoto): Promise<void> {
  if (photo !== null && typeof photo === 'object') await spool.drop(photo);
}
