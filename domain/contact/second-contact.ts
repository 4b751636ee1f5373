import type { ConversationMessage } from './conversation.ts';

/** A thread that a second contact may read and reply to. */
export interface ContactThread {
  readonly id: string;
  readonly item_type: string;
  readonly item_name: string;
  /** Whether it takes replies: it is neither closed as returned nor blocked. */
  readonly is_open: boolean;
  /** Oldest first. */
  readonly messages: readonly ConversationMessage[];
}

/** What a second contact's link shows: the result of the database function `read_as_contact`. */
export interface ContactView {
  /** Null where the owner has none, or one that could be a link or an advertisement. */
  readonly owner_first_name: string | null;
  /** Whether the contact is notified about all items; otherwise about those that are marked as lost. */
  readonly for_all: boolean;
  readonly has_agreed: boolean;
  readonly has_left: boolean;
  /** As `22:00`; null without quiet hours. */
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  readonly time_zone: string | null;
  /** Null for the contact's own page. */
  readonly conversation: ContactThread | null;
}
