import { escapeHtml } from '#domain/escape-html.ts';
import { isRightToLeft } from '#domain/isolate-name.ts';
import type { FoundItem } from '#domain/item/found-item.ts';
import { DEFAULT_OWNER_NAME } from '#domain/item/found-item.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { ByteBoundedMap } from '#server/byte-bounded-map.ts';
import { contentDigest } from '#server/http/etag.ts';
import { PackedTemplate } from './packed-template.ts';

/** The content of an item's page. */
export interface ItemView {
  readonly code: string;
  readonly typedCode: string;
  readonly item: FoundItem;
  /** Confirms that the message just posted was delivered. */
  readonly sent: boolean;
}

/** Renders the part of a view's document that differs between documents. */
type Render = (view: ItemView) => string;

/** Strings of a view that its document only prints, escaped, without any other effect on the page. */
const SLOTS = ['code', 'typedCode', 'name', 'owner', 'note', 'reward', 'photo'] as const;
type Slot = (typeof SLOTS)[number];

/** A letter that is written from right to left. */
const ALEF = '\u05D0';

/**
 * The placeholder of a slot. It uses private-use characters (Unicode, section 23.5), which our texts never contain. A name
 * that the page isolates has a placeholder that the page isolates (`isolateName`).
 */
const markOf = (slot: Slot, name = '') => `\uE000${isRightToLeft(name) ? ALEF : ''}${slot}\uE001`;
const MARK = new RegExp(SLOTS.flatMap((slot) => [markOf(slot), markOf(slot, ALEF)]).join('|'), 'g');

/** Names that the page replaces with its own texts. */
const isNameOfOurs = (name: string) => isUnnamed(name) || name === DEFAULT_OWNER_NAME;

/** The prefix of every photo's URL (`find_item`). The page derives the URL of the small size from it. */
const PHOTOS = '/storage/v1/object/public/item-photos/';

/**
 * The most bytes of all templates, at about 25 kB each: every type of item with the usual combinations of open contact
 * methods.
 */
export const MOST_TEMPLATE_BYTES = 8 * 1024 * 1024;

/** What a template keeps beside the bytes of its texts, as measured: the objects of each text. */
const TEXT_BYTES = 150;

/** The content of one item's document. */
export interface FilledTemplate {
  /** As UTF-8, in pieces that follow each other. */
  readonly pieces: readonly Buffer[];
  /** Equal for equal content only. */
  readonly digest: string;
  /** Deflate blocks of the content, to follow the frame's head; null where there are none. */
  pack(): Buffer | null;
}

/**
 * Produces the content of finder's documents without rendering each one. One document is rendered per shape, with
 * placeholders for the strings of the item, which are then filled in. The result is byte for byte what `render`
 * returns.
 */
export class FinderTemplates {
  #head: Buffer;
  #render: Render;
  #templates = new ByteBoundedMap<Template>(MOST_TEMPLATE_BYTES);

  /** `head` is what precedes every content. */
  constructor(head: Buffer, render: Render) {
    this.#head = head;
    this.#render = render;
  }

  /** The memory that the templates keep, in bytes. */
  get bytes(): number {
    return this.#templates.bytes;
  }

  fill(view: ItemView): FilledTemplate {
    const shape = shapeOf(view);
    if (shape === null) return withoutTemplate(Buffer.from(this.#render(view)));
    const key = JSON.stringify(shape);
    const template = this.#templates.get(key) ?? new Template(this.#head, this.#render(shape));
    // Reinserting makes it the newest entry, so the least recently used one is evicted first.
    this.#templates.set(key, template, template.bytes + 2 * key.length);
    return template.fill(view);
  }
}

/** A content that was rendered as a whole. */
export function withoutTemplate(plain: Buffer): FilledTemplate {
  return { pieces: [plain], digest: contentDigest(plain), pack: () => null };
}

/** Returns the view with placeholders for its slots, or null where a string may affect more than its own text. */
function shapeOf({ item, sent }: ItemView): ItemView | null {
  const { item_name, owner_first_name, photo, note_to_finders, reward } = item;
  if (photo !== null && !photo.startsWith(PHOTOS)) return null;
  const nameOr = (name: string, slot: Slot) => (isNameOfOurs(name) ? name : markOf(slot, name));
  return {
    code: markOf('code'),
    typedCode: markOf('typedCode'),
    item: {
      ...item,
      item_name: nameOr(item_name, 'name'),
      owner_first_name: nameOr(owner_first_name, 'owner'),
      photo: photo === null ? null : PHOTOS + markOf('photo'),
      note_to_finders: note_to_finders === null ? null : markOf('note'),
      reward: reward === null ? null : markOf('reward'),
    },
    sent,
  };
}

class Template {
  /** The texts; between each two is the slot with the same index. */
  #texts: readonly Buffer[];
  #slots: readonly Slot[];
  #packed: PackedTemplate;
  #fingerprint: string;
  readonly bytes: number;

  constructor(head: Buffer, marked: string) {
    const marks = marked.match(MARK) ?? [];
    this.#texts = marked.split(MARK).map((text) => Buffer.from(text));
    this.#slots = marks.flatMap((mark) => SLOTS.filter((slot) => mark === markOf(slot) || mark === markOf(slot, ALEF)));
    this.#packed = new PackedTemplate(head, this.#texts);
    this.#fingerprint = contentDigest(marked);
    this.bytes = this.#packed.bytes + this.#texts.reduce((sum, text) => sum + TEXT_BYTES + text.length, 0);
  }

  fill({ code, typedCode, item }: ItemView): FilledTemplate {
    const strings: Readonly<Record<Slot, string>> = {
      code: escapeHtml(code),
      typedCode: escapeHtml(typedCode),
      name: escapeHtml(item.item_name),
      owner: escapeHtml(item.owner_first_name),
      note: escapeHtml(item.note_to_finders ?? ''),
      reward: escapeHtml(item.reward ?? ''),
      photo: escapeHtml(item.photo?.slice(PHOTOS.length) ?? ''),
    };
    const values: Readonly<Record<Slot, Buffer>> = {
      code: Buffer.from(strings.code),
      typedCode: Buffer.from(strings.typedCode),
      name: Buffer.from(strings.name),
      owner: Buffer.from(strings.owner),
      note: Buffer.from(strings.note),
      reward: Buffer.from(strings.reward),
      photo: Buffer.from(strings.photo),
    };
    const inOrder = this.#slots.map((slot) => values[slot]);
    const pieces: Buffer[] = [];
    for (const [index, text] of this.#texts.entries()) {
      pieces.push(text);
      const value = inOrder[index];
      if (value !== undefined) pieces.push(value);
    }
    // The template's own texts are the rest. Values contain no NUL, which PostgreSQL cannot store.
    const said = [this.#fingerprint, ...SLOTS.map((slot) => strings[slot])].join('\0');
    return {
      pieces,
      digest: contentDigest(said),
      pack: () => this.#packed.fill(inOrder),
    };
  }
}
