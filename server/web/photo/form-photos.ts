import type { Context } from 'hono';
import {
  MESSAGE_PHOTOS,
  type MessagePhotos,
  type PhotoOutcome,
  type PhotoProblem,
  problemOf,
} from '#server/conversations/message-photos.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { inTime } from '#server/postgres/in-time.ts';
import type { SpooledFile } from '#server/storage/blobs/blob-store.ts';
import { announcedBytes } from '#server/storage/uploads/announced-bytes.ts';
import type { OpenConversation } from '../conversation/open-conversation.ts';
import type { FoundEntry } from '../finder/item-cache.ts';
import type { FormPhoto, TakePhoto } from '../forms/read-message-form.ts';

/** Allowance for the fields and delimiters around a photo in a form, in bytes. */
const AROUND_BYTES = 64 * 1024;

/** A message that was sent. */
interface SentMessage {
  readonly code: string;
  readonly id: string;
  readonly finderKey: string;
}

interface FormPhotosOptions {
  readonly files: Pick<Dependencies['files'], 'spool'>;
  readonly photos: MessagePhotos;
  readonly openConversation: OpenConversation;
}

/** The photos of forms that a browser sends without the script. Whatever becomes of one, its message is sent. */
export function formPhotos({ files, photos, openConversation }: FormPhotosOptions) {
  return {
    /**
     * Returns what takes the photo of a form. Nothing of it is written before its code, the limits, and a place for it
     * are known, within `withinMs`.
     */
    takeFor(c: Context<AppEnv>, find: () => Promise<FoundEntry | Response>, withinMs: number): TakePhoto {
      const address = c.get('clientAddress');
      const announced = announcedBytes(c.req.raw.headers);

      async function whyNot(): Promise<PhotoProblem | null> {
        const found = await find();
        if (found instanceof Response) return 'unknown';
        if ((await photos.countFrom(address)) !== null) return 'too-many';
        return (await photos.mayArriveFor(found.code)) ? null : 'too-many';
      }

      return async (content) => {
        if ((announced ?? 0) > MESSAGE_PHOTOS.mostBytes + AROUND_BYTES) return 'refused';
        try {
          const problem = await inTime(whyNot(), withinMs);
          if (problem !== null) return problem;
          return await files.spool.receive(content, MESSAGE_PHOTOS.mostBytes, { kind: 'finder', address, announced });
        } catch (error) {
          const problem = problemOf(error);
          if (problem === null) throw error;
          return problem;
        }
      };
    },

    /** Attaches the photo of a form to its message. Returns null where none was chosen. */
    async attach(message: SentMessage, photo: FormPhoto, address: string): Promise<PhotoOutcome | null> {
      if (photo === null || typeof photo === 'string') return photo;
      const opened = await openConversation(message.code, [message.finderKey]);
      if (opened === null) return 'unknown';
      const named = { conversationId: opened.conversationId, messageId: message.id };
      return photos.attach(named, address, async (): Promise<SpooledFile> => photo);
    },
  };
}
