/**
 * `id#part/parts#base64`, as written by `realtime.capture_change` and `realtime.tell`. A whole message is JSON and
 * begins with `{`.
 */
const PART = /^([^#{]{1,40})#(\d{1,6})\/(\d{1,6})#/;

/**
 * Reassembles notifications, which arrive whole or in parts. Use one instance per connection and notification channel.
 */
export class NotificationParts {
  #id = '';
  #parts: string[] = [];

  /** Returns the message that this notification completes, or null. The parts of a message arrive consecutively. */
  read(payload: string): string | null {
    const [header, id, part, parts] = PART.exec(payload) ?? [];
    if (header === undefined || id === undefined) return payload;
    if (Number(part) === 1 || id !== this.#id) this.reset();
    if (Number(part) !== this.#parts.length + 1) return null;
    this.#id = id;
    this.#parts.push(payload.slice(header.length));
    if (this.#parts.length < Number(parts)) return null;
    const text = Buffer.concat(this.#parts.map((piece) => Buffer.from(piece, 'base64'))).toString('utf8');
    this.reset();
    return text;
  }

  /** Discards the parts of an incomplete message, for example after a reconnect. */
  reset(): void {
    this.#id = '';
    this.#parts = [];
  }
}
