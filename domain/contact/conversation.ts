/** A message as read by the holder of the finder's key: part of the result of the database function `read_conversation`. */
export interface ConversationMessage {
  readonly id: string;
  readonly sender: 'finder' | 'owner';
  readonly body: string;
  /** ISO 8601. */
  readonly sent_at: string;
}

/** The conversation between a finder and an owner, as its finder sees it. */
export interface Conversation {
  /** Oldest first. */
  readonly messages: readonly ConversationMessage[];
  /** Whether the owner said that they have the item back, and the finder has not written since. */
  readonly returned: boolean;
  /** Opens the conversation from any browser, in two groups of letters. */
  readonly return_code: string;
  /** The path of the private link, which does the same. */
  readonly return_path: string;
  /** Whether the browser may have other conversations about the item. */
  readonly has_others: boolean;
}
