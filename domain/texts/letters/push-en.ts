import { yourItem } from './notice-en.ts';

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

/** Pushes in English. Everyone who looks at the device can read them. */
export const pushEn = {
  message: ({ product, itemName, isFirst, body }: MessagePush): PushText => ({
    title: isFirst ? `Someone found ${yourItem(itemName)}` : `New message about ${yourItem(itemName)}`,
    body: body ?? `Open ${product} to read and reply.`,
  }),
  test: ({ product }: { readonly product: string }): PushText => ({
    title: 'Notifications are working',
    body: `When someone finds one of your items, ${product} tells you here.`,
  }),
};
