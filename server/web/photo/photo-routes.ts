import { type Context, Hono } from 'hono';
import { messagePhotoTexts } from '#domain/texts/message-photo/message-photo.ts';
import { MESSAGE_PHOTOS, type MessagePhotos, type PhotoOutcome } from '#server/conversations/message-photos.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { dropBody } from '#server/http/drop-body.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { SpooledFile } from '#server/storage/blobs/blob-store.ts';
import { StorageError } from '#server/storage/storage-error.ts';
import { chunksOf } from '#server/storage/uploads/chunks-of.ts';
import type { FinderKeys } from '../conversation/finder-key.ts';
import type { OpenConversation } from '../conversation/open-conversation.ts';
import type { FoundEntry } from '../finder/item-cache.ts';
import { onlyOwnForms } from '../forms/own-forms.ts';
import { withoutTimeLimit } from '../respond-in-time.ts';

export interface PhotoRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'files'>;
  readonly photos: MessagePhotos;
  readonly keys: FinderKeys;
  readonly openConversation: OpenConversation;
  /** Returns the item with the code in the path, or the response that says why there is none. */
  readonly foundOr: (c: Context<AppEnv>, code: string) => Promise<FoundEntry | Response>;
}

const STATUS = { refused: 422, 'too-many': 429, busy: 503, unknown: 409 } as const;

/** Says to a finder why a message was sent without its photo. */
export function photoProblem(c: Context<AppEnv>, outcome: Exclude<PhotoOutcome, 'attached'>): string {
  const texts = messagePhotoTexts(requestLanguage(c));
  return { refused: texts.refused, 'too-many': texts.tooMany, busy: texts.busy, unknown: texts.unknown }[outcome];
}

/**
 * `/item/{code}/photo/{message}`: the photo of a message, for the holder of its conversation's key. The script posts it
 * as the body, after the message, so that a slow upload delays nothing else.
 */
export function photoRoutes({
  dependencies,
  photos,
  keys,
  openConversation,
  foundOr,
}: PhotoRoutesOptions): Hono<AppEnv> {
  const { config, files } = dependencies;
  const routes = new Hono<AppEnv>({ strict: false });

  /** Returns the named message of the conversation that the browser's keys open; null without one. */
  async function messageIn(c: Context<AppEnv>, code: string) {
    const messageId = c.req.param('message') ?? '';
    if (!isUuid(messageId)) return null;
    const opened = await openConversation(code, keys.kept(c.req.header('cookie')));
    return opened === null ? null : { conversationId: opened.conversationId, messageId };
  }

  routes.get('/:code/photo/:message', async (c) => {
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;
    const message = await messageIn(c, found.code);
    const small = c.req.query('small') !== undefined;
    const photo = message === null ? null : await photos.serve(message, { request: c.req.raw, small });
    return photo ?? c.text(requestLanguage(c).texts.notFound.title, 404, { 'Cache-Control': 'no-store' });
  });

  const ownFormsAlone = onlyOwnForms(config.publicUrl);
  routes.use('/:code/photo/:message', ownFormsAlone);
  routes.post('/:code/photo/:message', async (c) => {
    const refuse = (outcome: Exclude<PhotoOutcome, 'attached'>) =>
      c.json({ problem: photoProblem(c, outcome) }, STATUS[outcome]);
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;
    const message = await messageIn(c, found.code);
    if (message === null) return refuse('unknown');
    const address = c.get('clientAddress');
    const retryAfterSeconds = await photos.countFrom(address);
    if (retryAfterSeconds !== null) {
      c.header('Retry-After', String(retryAfterSeconds));
      return refuse('too-many');
    }
    const file = await withoutTimeLimit(c, () => receive(c.req.raw.body));
    if (file === null) return refuse('refused');
    try {
      const outcome = await withoutTimeLimit(c, () => photos.attach(message, file, address));
      return outcome === 'attached' ? c.json({}) : refuse(outcome);
    } finally {
      await files.spool.drop(file);
    }
  });

  /** Returns null for a body that is too large or was broken off. */
  async function receive(body: ReadableStream<Uint8Array> | null): Promise<SpooledFile | null> {
    if (body === null) return null;
    const reader = body.getReader();
    try {
      return await files.spool.receive(chunksOf(reader), MESSAGE_PHOTOS.mostBytes);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      reader.releaseLock();
      await dropBody(body);
      return null;
    }
  }

  return routes;
}
