import type { Dependencies } from '#server/dependencies.ts';
import { FairQueue, QueueFull } from '#server/limits/fair-queue.ts';
import { type Counter, takeAll } from '#server/limits/rate-limits.ts';
import { noteRefusal } from '#server/limits/refused-by.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { SpooledFile } from '#server/storage/blobs/blob-store.ts';
import { removeUnlessKept } from '#server/storage/blobs/remove-unless-kept.ts';
import type { StoredContent } from '#server/storage/blobs/stored-content.ts';
import { explainFailure } from '#server/storage/explain-failure.ts';
import { chooseContent, chooseSize } from '#server/storage/objects/choose-size.ts';
import type { StoredObject } from '#server/storage/objects/object-row.ts';
import { serveObject } from '#server/storage/objects/serve-object.ts';
import { writeObjectRow } from '#server/storage/objects/write-object-row.ts';
import { storePicture } from '#server/storage/pictures/store-picture.ts';

/** A message, as the holder of a conversation's key or link names it. */
export interface NamedMessage {
  readonly conversationId: string;
  readonly messageId: string;
}

/**
 * What became of a photo. `refused`: the file is no picture, or one that is not accepted. `too-many`: the conversation,
 * the owner or the whole service has got enough. `busy`: a retry may succeed. `full`: the service has no room for photos,
 * and a retry soon does not help. `unknown`: the message takes no photo.
 */
export type PhotoOutcome = 'attached' | PhotoProblem;
export type PhotoProblem = (typeof PHOTO_PROBLEMS)[number];
export const PHOTO_PROBLEMS = ['refused', 'too-many', 'busy', 'full', 'unknown'] as const;

/** Bounds of finders' photos. `docs/operate/limits.md` lists them. */
export const MESSAGE_PHOTOS = {
  /** In one conversation. */
  perConversation: 10,
  /** The largest file, in bytes. The bucket says the same. */
  mostBytes: 12 * 1024 * 1024,
  /** How long after it was sent a message takes a photo, in hours. */
  hours: 24,
  /** How many files of finders may wait to be decoded. */
  mostWaiting: 8,
} as const;

const BUCKET = 'message-photos';
/** In pixels: what a conversation shows at first. */
const SMALL = 320;
/** The holder of the decoder's time for all finders together: they never come before an account. */
const FINDERS = 'finders';

const nameOf = (messageId: string) => `${messageId.toLowerCase()}.webp`;

export type MessagePhotos = ReturnType<typeof messagePhotos>;

/** The photos of finders' messages: pictures in a private bucket ([decision 94](../../docs/decisions/0094-photos-of-finders.md)). */
export function messagePhotos({
  database,
  files,
  limits,
  log,
  now,
}: Pick<Dependencies, 'database' | 'files' | 'limits' | 'log' | 'now'>) {
  // One of them at a time waits at the decoder, so that a crowd of finders does not fill the queue of the accounts.
  const queue = new FairQueue({ mostWaiting: MESSAGE_PHOTOS.mostWaiting });

  /** Stores the picture beside the message, unless that has one by now. Returns whether it is stored. */
  async function store(
    transaction: Transaction,
    { conversationId, messageId }: NamedMessage,
    { version, metadata, renditions }: StoredContent,
  ): Promise<boolean> {
    // Two photos of one conversation take turns, so that the second is counted after the first.
    const { rows } = await transaction.query<{ owner_id: string }>({
      name: 'message_for_photo',
      text: `select message.owner_id
               from public.conversations as conversation
               join public.messages as message on message.conversation_id = conversation.id
               where conversation.id = $1 and message.id = $2 and not message.photo and conversation.blocked_at is null
               for no key update of conversation, message`,
      values: [conversationId, messageId],
    });
    const [message] = rows;
    if (message === undefined || (await isFull(transaction, conversationId))) return false;
    await writeObjectRow(
      transaction,
      message.owner_id,
      { path: { bucketId: BUCKET, name: nameOf(messageId) }, version, metadata, userMetadata: null, renditions },
      false,
    );
    await transaction.query({
      name: 'message_has_photo',
      text: 'update public.messages set photo = true where id = $1',
      values: [messageId],
    });
    return true;
  }

  return {
    /** Counts a photo that a network address is about to send. Returns after how many seconds it may; null for now. */
    async countFrom(address: string): Promise<number | null> {
      const verdict = await limits.take('message_photos_per_address', address);
      return verdict.allowed ? null : verdict.retryAfterSeconds;
    },

    /**
     * Whether a message to the code may have a photo, as far as the owner's and the service's limits tell: for a form whose
     * photo arrives before the message is stored.
     */
    async mayArriveFor(code: string): Promise<boolean> {
      const { rows } = await database.asService<{ user_id: string }>({
        name: 'owner_who_gets_photo',
        text: 'select user_id from public.items where qr_id = internal.own_code_of_item($1)',
        values: [code],
      });
      const counters = rows.map(
        ({ user_id: owner }): Counter<'message_photos_per_owner'> => ['message_photos_per_owner', owner],
      );
      return (await limits.peek(...counters, ['message_photos_from_everywhere', ''])).allowed;
    },

    /**
     * Attaches a file to a message of a finder: upright, at most 1280 pixels, without metadata. A message that has a photo
     * keeps it, which makes a retry safe.
     *
     * @param address - The network address it comes from.
     * @param receive - Receives the file. Called only where the message takes one. The file is dropped.
     */
    async attach(named: NamedMessage, address: string, receive: () => Promise<SpooledFile>): Promise<PhotoOutcome> {
      const { conversationId, messageId } = named;
      const { rows } = await database.asService<{ owner_id: string; photo: boolean }>({
        name: 'message_that_gets_photo',
        text: `select message.owner_id, message.photo
                 from public.messages as message
                 join public.conversations as conversation on conversation.id = message.conversation_id
                 where message.id = $2 and conversation.id = $1 and message.sender = 'finder'
                   and conversation.blocked_at is null
                   and message.created_at > now() - make_interval(hours => $3)`,
        values: [conversationId, messageId, MESSAGE_PHOTOS.hours],
      });
      const [message] = rows;
      if (message === undefined) return 'unknown';
      if (message.photo) return 'attached';
      if (await isFull({ query: (statement) => database.asService(statement) }, conversationId)) return 'too-many';
      const { retryAfterSeconds, giveBack } = await takeAll(limits, [
        ['message_photos_per_owner', message.owner_id],
        ['message_photos_from_everywhere', ''],
      ]);
      if (retryAfterSeconds !== null) return 'too-many';
      let content: StoredContent;
      try {
        const file = await receive();
        try {
          content = await queue.run(address, () =>
            storePicture({ ...files, now }, { file }, { public: false }, FINDERS),
          );
        } finally {
          await files.spool.drop(file);
        }
      } catch (error) {
        await giveBack();
        const problem = problemOf(error);
        if (problem !== null) return problem;
        log.error({ err: error }, 'A photo of a finder could not be stored.');
        throw error;
      }
      const keys = [content.version, ...content.renditions.map(({ version }) => version)];
      try {
        const isStored = await database.transactAsService((transaction) => store(transaction, named, content));
        if (isStored) return 'attached';
      } catch (error) {
        await giveBack();
        await removeUnlessKept(files, error, keys);
        throw error;
      }
      await giveBack();
      for (const key of keys) await files.blobs.remove(key);
      return 'busy';
    },

    /**
     * Responds with the photo of a message, in its small size where asked. Returns null where it has none.
     *
     * @param named - A message of a conversation that the caller may read.
     */
    async serve(
      { conversationId, messageId }: NamedMessage,
      { request, small }: { readonly request: Request; readonly small: boolean },
    ): Promise<Response | null> {
      const { rows } = await database.asService<StoredObject>({
        name: 'photo_of_message',
        text: `select object.name, object.version, object.metadata, object.renditions
                 from public.messages as message
                 join storage.objects as object on object.bucket_id = '${BUCKET}' and object.name = $3
                 where message.id = $2 and message.conversation_id = $1 and message.photo`,
        values: [conversationId, messageId, nameOf(messageId)],
      });
      const [object] = rows;
      if (object === undefined) return null;
      const chosen = (small ? chooseSize(object, { width: SMALL }) : null) ?? chooseContent(object);
      const { method, headers } = request;
      const response = await serveObject(files.blobs, chosen, { method, headers, download: undefined });
      response.headers.set('Cross-Origin-Resource-Policy', 'same-origin');
      response.headers.set('Vary', 'Cookie');
      return response;
    },
  };
}

/** Returns what a failure to receive or decode a photo means for its finder; null for an unexpected one. */
export function problemOf(error: unknown): PhotoProblem | null {
  if (error instanceof QueueFull) return 'busy';
  const { status } = explainFailure(error);
  if (status === 503) return 'busy';
  if (status === 507) return 'full';
  return status < 500 ? 'refused' : null;
}

/** Whether a conversation has all photos that it may have. */
async function isFull({ query }: Pick<Transaction, 'query'>, conversationId: string): Promise<boolean> {
  const { rows } = await query({
    name: 'conversation_is_full_of_photos',
    text: 'select 1 from public.messages where conversation_id = $1 and photo offset $2 limit 1',
    values: [conversationId, MESSAGE_PHOTOS.perConversation - 1],
  });
  if (rows.length === 0) return false;
  noteRefusal({ name: 'photos_per_conversation', points: MESSAGE_PHOTOS.perConversation });
  return true;
}
