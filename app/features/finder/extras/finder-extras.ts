import { writeClipboard } from '#app/browser/clipboard/write-clipboard.ts';
import { completeConversation } from './complete-conversation.ts';
import { addLocation } from './location.ts';
import { choosePhoto } from './photos.ts';

const extras = { addLocation, choosePhoto, completeConversation, writeClipboard };

/** What the finder's page loads when it is needed, by `loadExtras`. */
export type FinderExtras = typeof extras;

declare global {
  var finderExtras: FinderExtras;
}

globalThis.finderExtras = extras;
