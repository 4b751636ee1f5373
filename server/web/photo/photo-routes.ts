import { type Context, Hono } from 'hono';
import { MESSAGE_PHOTOS, type MessagePhotos, type PhotoProblem } from '#server/conversations/message-photos.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { dropBody } from '#server/http/drop-body.ts';
import { isUuid } from '#server/is-uuid.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import type { SpooledFile } from '#server/storage/blobs/blob-store.ts';
import { noContent, tooLarge } from '#server/storage/errors.ts';
import { announcedBytes } from '#server/storage/uploads/announced-bytes.ts';
import { chunksOf } from '#server/storage/uploads/chunks-of.ts';
import { withoutTimeLimit } from '#server/web/checks/respond-in-time.ts';
import type { FinderKeys } from '../conversation/finder-key.ts';
import type { OpenConversation } from '../conversation/open-conversation.ts';
import type { FoundEntry } from '../finder/item-cache.ts';
import { onlyOwnForms } from '../forms/own-forms.ts';

export interface PhotoRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'files'>;
  readonly photos: MessagePhotos;
  readonly keys: FinderKeys;
  readonly openConversation: OpenConversation;
  /** Returns the item with the code in the path, or the response that says why there is none. */
  readonly foundOr: (c: Context<AppEnv>, code: string) => Promise<FoundEntry | Response>;
}

const STATUS = { refused: 422, 'too-many': 429, busy: 503, full: 507, unknown: 409 } as const;

/** Says to a finder why a message was sent without its photo. */
export function photoProblem(c: Context<AppEnv>, problem: PhotoProblem): string {
  const { refused, tooMany, busy, full, unknown } = visitorLanguage(c).texts.messagePhoto;
  return { refused, 'too-many': tooMany, busy, full, unknown }[problem];
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
    return photo ?? c.text(visitorLanguage(c).texts.notFound.title, 404, { 'Cache-Control': 'no-store' });
  });

  const ownFormsAlone = onlyOwnForms(config.publicUrl);
  routes.use('/:code/photo/:message', ownFormsAlone);
  routes.post('/:code/photo/:message', async (c) => {
    const refuse = (problem: PhotoProblem) => c.json({ problem: photoProblem(c, problem) }, STATUS[problem]);
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
    const outcome = await withoutTimeLimit(c, () => photos.attach(message, address, () => receive(c.req.raw, address)));
    return outcome === 'attached' ? c.json({}) : refuse(outcome);
  });

  async function receive({ body, headers }: Request, address: string): Promise<SpooledFile> {
    const announced = announcedBytes(headers);
    if (body === null) throw noContent();
    if ((announced ?? 0) > MESSAGE_PHOTOS.mostBytes) throw tooLarge();
    const reader = body.getReader();
    try {
      const sender = { kind: 'finder', address, announced } as const;
      return await files.spool.receive(chunksOf(reader), MESSAGE_PHOTOS.mostBytes, sender);
    } catch (error) {
      reader.releaseLock();
      // Otherwise the client may not receive the refusal.
      await dropBody(body);
      throw error;
    }
  }

  return routes;
}
