/** A message as read by the holder of the finder's key: the result of the database function `read_conversation`. */
export interface ConversationMessage {
  readonly id: string;
  readonly sender: 'finder' | 'owner';
  readonly body: string;
  /** ISO 8601. */
  readonly sent_at: string;
}

/** The conversation between a finder and an owner, oldest first. */
export interface Conversation {
  readonly messages: readonly ConversationMessage[];
}
