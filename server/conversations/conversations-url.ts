interface ItemOfMessage {
  /** The item's own tag code; null for an item that was given to another account. */
  readonly qr_id: string | null;
  readonly item_id: string | null;
}

/** Returns the URL at which an owner reads the conversations about an item: its page, or that of an item given away. */
export function conversationsUrl(publicUrl: string, { qr_id, item_id }: ItemOfMessage): string {
  return qr_id === null ? `${publicUrl}/given/${item_id ?? ''}` : `${publicUrl}/item/${encodeURIComponent(qr_id)}`;
}
