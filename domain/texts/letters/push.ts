import type { AccountChange } from '#domain/account/account-changes.ts';
import type { ChangesWords, OwnerLettersWords } from '#domain/words/compiled/types.ts';
import { itemInSentence } from './item-in-sentence.ts';

/** The parameters of a push about a finder's message. */
interface MessagePush {
  readonly product: string;
  readonly itemName: string;
  /** Whether the message is the first of its conversation. */
  readonly isFirst: boolean;
  /** As the finder wrote it; null where its owner did not choose to see it on the lock screen. */
  readonly body: string | null;
}

/** What a notification says. */
interface PushText {
  readonly title: string;
  readonly body: string;
}

/** Pushes to owners. Everyone who looks at the device can read them. */
export function push(words: OwnerLettersWords, { lines }: ChangesWords) {
  const { push: texts, notice } = words;
  return {
    message: ({ product, itemName, isFirst, body }: MessagePush): PushText => ({
      title: (isFirst ? notice.found : notice.newMessage)(itemInSentence(words, itemName)),
      body: body ?? texts.open(product),
    }),
    change: ({ product, change }: { readonly product: string; readonly change: AccountChange }): PushText => ({
      title: product,
      body: lines[change],
    }),
    test: ({ product }: { readonly product: string }): PushText => ({
      title: texts.test.title,
      body: texts.test.text(product),
    }),
  };
}

/** Notifications in ntfy, for owners who chose no texts for it: the topic may be public. */
export function ntfy({ push: { open }, ntfy: { title } }: OwnerLettersWords) {
  return {
    message: ({ product }: { readonly product: string }): PushText => ({ title: title(product), body: open(product) }),
  };
}
