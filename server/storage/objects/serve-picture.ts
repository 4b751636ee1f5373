import { buffer } from 'node:stream/consumers';
import { isFresh } from '#server/http/etag.ts';
import { fileMissing, tooLargeToRender } from '../errors.ts';
import { describeTransform, type Transform } from '../pictures/transform.ts';
import type { StorageContext } from '../storage-context.ts';
import { type ChosenFile, chooseContent, chooseSize } from './choose-size.ts';
import type { StoredObject } from './object-row.ts';
import { contentDisposition } from './safe-content.ts';
import { alwaysSent, type ServeOptions, serveObject } from './serve-object.ts';

/** The largest file of which a picture is made, in bytes: it is held in memory. */
const MOST_BYTES = 25_000_000;

interface PictureOptions extends ServeOptions {
  /** Whose turn it takes. */
  readonly clientAddress: string;
}

/** Responds with a picture as it is asked for: one of its stored sizes, or one that is made now. */
export async function servePicture(
  { blobs, maker }: Pick<StorageContext, 'blobs' | 'maker'>,
  object: StoredObject,
  transform: Transform,
  options: PictureOptions,
): Promise<Response> {
  const stored = chooseSize(object, transform);
  if (stored !== null) return serveObject(blobs, stored, options);
  const source = chooseContent(object);
  if (source === null) throw fileMissing();
  if (source.metadata.size > MOST_BYTES) throw tooLargeToRender();
  const { method, headers, download, clientAddress } = options;
  const wanted = { ...transform, format: transform.format ?? formatBy(headers.get('accept')) };
  // The ETag is that of the source, as in Supabase Storage.
  const sent = { ...alwaysSent(source.metadata, options), Vary: 'Accept' };
  if (isFresh(headers.get('if-none-match'), source.metadata.eTag)) {
    return new Response(null, { status: 304, headers: sent });
  }
  const { bytes, mimetype } = await maker.make(() => bytesOf(blobs, source), wanted, clientAddress);
  const disposition = contentDisposition(download, true);
  return new Response(method === 'HEAD' ? null : new Uint8Array(bytes), {
    headers: {
      ...sent,
      'Content-Type': mimetype,
      'Content-Length': String(bytes.length),
      'X-Transformations': describeTransform(wanted),
      ...(disposition !== null && { 'Content-Disposition': disposition }),
    },
  });
}

/** A browser that takes WebP receives it, unless another format is asked for. */
function formatBy(accept: string | null): 'webp' | 'origin' {
  return accept?.includes('image/webp') ? 'webp' : 'origin';
}

async function bytesOf(blobs: StorageContext['blobs'], { key }: ChosenFile): Promise<Uint8Array> {
  const body = await blobs.open(key);
  if (body === null) throw fileMissing();
  return buffer(body);
}
