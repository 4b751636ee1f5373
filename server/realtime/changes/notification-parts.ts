/** `id#part/parts#base64`, as `realtime.capture_change` and `realtime.tell` write it. A whole message is JSON, and begins with `{`. */
const PART = /^([^#{]{1,40})#(\d{1,6})\/(\d{1,6})#/;

/** Puts notifications back together: whole ones, and those that came in parts. One for each listening connection and channel. */
export class NotificationParts {
  #id = '';
  #parts: string[] = [];

  /** The message that this notification completes, or null. Parts of one message follow each other. */
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

  /** Forgets the parts of a message whose rest will not come. */
  reset(): void {
    this.#id = '';
    this.#parts = [];
  }
}
