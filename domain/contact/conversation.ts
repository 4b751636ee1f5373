import type { MessageDetails } from './message-details.ts';

/** A message as read by the holder of the finder's key: part of the result of the database function `read_conversation`. */
export interface ConversationMessage extends MessageDetails {
  readonly id: string;
  /** `contact`: a second contact of the owner, for the owner. */
  readonly sender: 'finder' | 'owner' | 'contact';
  readonly body: string;
  /** The language (BCP 47) of the page on which it was written; null where that is not known. */
  readonly language: string | null;
  /** Whether it has a photo. */
  readonly photo: boolean;
  /** ISO 8601. */
  readonly sent_at: string;
}

/** What became of a finder's message. */
export type MessageState = 'sent' | 'delivered' | 'contacted' | 'seen';

/** In the order in which they follow each other. */
export const MESSAGE_STATES: readonly MessageState[] = ['sent', 'delivered', 'contacted', 'seen'];

/** What became of the finder's latest message. */
export interface MessageProgress {
  readonly state: MessageState;
  /** ISO 8601, to the hour; null unless the message is seen and its owner shows it. */
  readonly seen_at: string | null;
}

/** The conversation between a finder and an owner, as its finder sees it. */
export interface Conversation {
  /** Oldest first. */
  readonly messages: readonly ConversationMessage[];
  /** Whether the owner said that they have the item back, and the finder has not written since. */
  readonly returned: boolean;
  /** Null where the owner has replied, or has the item back, since. */
  readonly progress: MessageProgress | null;
  /** Opens the conversation from any browser, in two groups of letters. */
  readonly return_code: string;
  /** The path of the private link, which does the same. */
  readonly return_path: string;
  /** Whether the browser may have other conversations about the item. */
  readonly has_others: boolean;
}

/** A message with its details in the finder's language. */
export interface SpokenMessage extends ConversationMessage {
  /** Empty where that is not known. */
  readonly language: string;
  /** Lines; empty for a text alone. */
  readonly said: string;
  /** In which language its text was typed; empty where that is the finder's own, or not known. */
  readonly note: string;
}

/** The conversation as the page's script requests it. */
export interface SpokenConversation extends Conversation {
  readonly messages: readonly SpokenMessage[];
}
