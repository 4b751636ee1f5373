import { escapeHtml } from '#domain/escape-html.ts';
import type { FoundItem } from '#domain/found-item.ts';
import { isUnnamed } from '#domain/item-catalogue.ts';
import { en } from '#domain/messages/en.ts';

/** What the finder's page of an item as it is shows. */
export interface ItemView {
  readonly code: string;
  readonly item: FoundItem;
  /** The message that was just posted is with the owner. */
  readonly sent: boolean;
}

/** Renders what stands in a view's document between the parts that all documents have in common. */
type Render = (view: ItemView) => string;

/** The strings of a view that its document repeats, escaped, and decides nothing by. */
const SLOTS = ['code', 'name', 'owner', 'note', 'photo'] as const;
type Slot = (typeof SLOTS)[number];

/** Stands for the value of a slot. No text of ours has characters for private use (Unicode, section 23.5). */
const markOf = (slot: Slot) => `\uE000${slot}\uE001`;
const MARK = new RegExp(SLOTS.map(markOf).join('|'), 'g');

/** Names that the page says in another way than the ones that people gave. */
const isNameOfOurs = (name: string) => isUnnamed(name) || name === en.finder.defaultOwnerName;

/** How the address of every photo begins (`find_item`); the page makes the address of the small size of it. */
const PHOTOS = '/storage/v1/object/public/item-photos/';

/** So many shapes are remembered, at about 15 kB each: all types of items in the usual combinations of open ways. */
const MOST_TEMPLATES = 400;

/**
 * Contents of finder's documents without rendering each: one is rendered for every shape, with marks in the place of
 * what only the one item says, and filled in from then on. What comes out is, byte for byte, what `render` makes.
 */
export class FinderTemplates {
  #render: Render;
  #templates = new Map<string, Template>();

  constructor(render: Render) {
    this.#render = render;
  }

  /** The content of a view's document, as UTF-8. */
  content(view: ItemView): Buffer {
    const shape = shapeOf(view);
    if (shape === null) return Buffer.from(this.#render(view));
    const key = JSON.stringify(shape);
    const template = this.#templates.get(key) ?? new Template(this.#render(shape));
    // Put in again it is the youngest of the map, so the first key is the one unused longest.
    this.#templates.delete(key);
    this.#templates.set(key, template);
    if (this.#templates.size > MOST_TEMPLATES) {
      const oldest = this.#templates.keys().next();
      if (!oldest.done) this.#templates.delete(oldest.value);
    }
    return template.fill(view);
  }
}

/** The view with marks for the values of its slots; null where a value may be more than repeated. */
function shapeOf({ item, sent }: ItemView): ItemView | null {
  const { item_name, owner_first_name, photo, note_to_finders } = item;
  if (photo !== null && !photo.startsWith(PHOTOS)) return null;
  const nameOr = (name: string, slot: Slot) => (isNameOfOurs(name) ? name : markOf(slot));
  return {
    code: markOf('code'),
    item: {
      ...item,
      item_name: nameOr(item_name, 'name'),
      owner_first_name: nameOr(owner_first_name, 'owner'),
      photo: photo === null ? null : PHOTOS + markOf('photo'),
      note_to_finders: note_to_finders === null ? null : markOf('note'),
    },
    sent,
  };
}

class Template {
  /** Texts, and between each two the slot of the same index. */
  #texts: readonly Buffer[];
  #slots: readonly Slot[];

  constructor(marked: string) {
    const marks = marked.match(MARK) ?? [];
    this.#texts = marked.split(MARK).map((text) => Buffer.from(text));
    this.#slots = marks.flatMap((mark) => SLOTS.filter((slot) => mark === markOf(slot)));
  }

  fill({ code, item }: ItemView): Buffer {
    const escaped = (text: string | null) => Buffer.from(escapeHtml(text ?? ''));
    const values: Readonly<Record<Slot, Buffer>> = {
      code: escaped(code),
      name: escaped(item.item_name),
      owner: escaped(item.owner_first_name),
      note: escaped(item.note_to_finders),
      photo: escaped(item.photo?.slice(PHOTOS.length) ?? null),
    };
    return Buffer.concat(
      this.#texts.flatMap((text, index) => {
        const slot = this.#slots[index];
        return slot === undefined ? [text] : [text, values[slot]];
      }),
    );
  }
}
