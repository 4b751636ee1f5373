/** A message as whoever holds the finder's key reads it: what the database function `read_conversation` returns. */
export interface ConversationMessage {
  readonly id: string;
  readonly sender: 'finder' | 'owner';
  readonly body: string;
  /** ISO 8601. */
  readonly sent_at: string;
}

/** What was said between a finder and an owner, oldest first. */
export interface Conversation {
  readonly messages: readonly ConversationMessage[];
}
