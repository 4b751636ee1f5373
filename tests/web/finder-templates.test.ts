import { resolve } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTACT_METHODS } from '#domain/contact/contact-methods.ts';
import { DEFAULT_OWNER_NAME, type FoundItem } from '#domain/item/found-item.ts';
import { ITEM_TYPES } from '#domain/item/item-catalogue.ts';
import { english } from '#domain/language.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import {
  type FilledTemplate,
  FinderTemplates,
  type ItemView,
  MOST_TEMPLATE_BYTES,
} from '#server/web/finder/finder-templates.ts';
import { openBuiltPages } from '#server/web/pages/built-pages.ts';
import { propertyRuns } from '#tests/support/long-runs.ts';

const page = await (await openBuiltPages(resolve(import.meta.dirname, '../..'))).current();
const site = { productName: 'Reunite', storagePrefix: 'reunite' };
/** Between what all documents begin and end with. */
const { styles, script } = page.inlined;
const render = (view: ItemView) => {
  const html = page.renderFinderDocument(site, english, { ...view, conversation: null });
  return html.slice(html.indexOf(styles) + styles.length, html.lastIndexOf(script));
};
const textOf = ({ pieces }: FilledTemplate) => Buffer.concat(pieces).toString();
const HEAD = Buffer.from(styles);
/** A last block without anything in it (RFC 1951). */
const END = Buffer.from([0x03, 0x00]);
const unpack = (blocks: Buffer | null) =>
  blocks === null ? null : inflateRawSync(Buffer.concat([blocks, END]), { dictionary: HEAD }).toString();

/**
 * Text that users may have entered: markup, characters that JSON and JavaScript escape, and placeholders of the
 * template.
 */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('<b>', '&amp;', '"', "'", '\\', '$&', '$1', '\n', '</script>', '<!--', '\u2028', '🔑', 'ש', 'é'),
      fc
        .constantFrom('code', 'typedCode', 'name', 'owner', 'note', 'reward', 'photo')
        .map((slot) => `\uE000${slot}\uE001`),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const photo = fc.stringMatching(/^[\w.-]{1,60}$/).map((name) => `/storage/v1/object/public/item-photos/${name}`);

const item: fc.Arbitrary<FoundItem> = fc.record({
  item_type: fc.constantFrom(...ITEM_TYPES, 'custom' as const, 'other' as const),
  item_name: fc.oneof(hostile, fc.constant('My Tagged Item')),
  owner_first_name: fc.oneof(hostile, fc.constant(DEFAULT_OWNER_NAME)),
  photo: fc.option(photo),
  note_to_finders: fc.option(hostile),
  reward: fc.option(hostile),
  lost: fc.boolean(),
  has_contact_details: fc.boolean(),
  channels: fc.record({ whatsapp: fc.boolean(), call: fc.boolean(), email: fc.boolean(), message: fc.boolean() }),
});
const view = fc
  .record({ code: fc.stringMatching(/^[\w-]{1,64}$/), item, sent: fc.boolean() })
  .map((shown) => ({ ...shown, typedCode: typedCodeOf(shown.code) }));

test('a template that is filled in is what the component renders, for whatever item', () => {
  const templates = new FinderTemplates(HEAD, render);
  fc.assert(
    fc.property(view, view, (first, second) => {
      // The other one's strings in the same shape: its template is there already.
      const alike = {
        ...second,
        sent: first.sent,
        item: {
          ...second.item,
          item_type: first.item.item_type,
          lost: first.item.lost,
          has_contact_details: first.item.has_contact_details,
          channels: first.item.channels,
        },
      };
      for (const shown of [first, alike]) {
        const html = render(shown);
        const filled = templates.fill(shown);
        expect(textOf(filled)).toBe(html);
        expect(unpack(filled.pack())).toBe(html);
      }
    }),
    propertyRuns(60, 1_000),
  );
});

const plain: FoundItem = {
  item_type: 'keys',
  item_name: 'Keys',
  owner_first_name: 'Dana',
  photo: null,
  note_to_finders: null,
  reward: null,
  lost: false,
  has_contact_details: true,
  channels: { whatsapp: true, call: true, email: true, message: true },
};

test('a shape is rendered once', () => {
  let rendered = 0;
  const templates = new FinderTemplates(HEAD, (shown) => {
    rendered += 1;
    return render(shown);
  });
  for (const item_name of ['Keys', 'Bag', 'Ring', 'Cup']) {
    templates.fill({
      code: `tgt-${item_name}`,
      typedCode: `TYPED-${item_name}`,
      item: { ...plain, item_name },
      sent: false,
    });
  }
  expect(rendered).toBe(1);
  for (const channel of CONTACT_METHODS) {
    templates.fill({
      code: 'a',
      typedCode: 'A',
      item: { ...plain, channels: { ...plain.channels, [channel]: false } },
      sent: false,
    });
  }
  expect(rendered).toBe(5);
});

test('a photo URL of another origin is never filled in, so that React escapes it', () => {
  const templates = new FinderTemplates(HEAD, render);
  const shown = { code: 'a', typedCode: 'T', item: { ...plain, photo: 'javascript:alert(1)' }, sent: false };
  expect(textOf(templates.fill(shown))).toBe(render(shown));
  expect(textOf(templates.fill(shown))).not.toContain('href="javascript:alert(1)"');
});

test('a different document has a different digest', () => {
  const templates = new FinderTemplates(HEAD, render);
  const digest = (code: string, item: Partial<FoundItem> = {}) =>
    templates.fill({ code, typedCode: 'T', item: { ...plain, ...item }, sent: false }).digest;
  const digests = [
    digest('a'),
    digest('b'),
    digest('a', { item_name: 'Dana', owner_first_name: 'Keys' }),
    digest('a', { item_name: 'KeysDana', owner_first_name: '' }),
    digest('a', { lost: true }),
    digest('a', { note_to_finders: '' }),
    digest('a', { note_to_finders: 'Dana' }),
    digest('a', { reward: 'Dana' }),
  ];
  expect(new Set(digests).size).toBe(digests.length);
  expect(digest('a')).toBe(digests[0]);
});

test('the least recently used templates are dropped beyond their bytes', () => {
  let rendered = 0;
  const templates = new FinderTemplates(HEAD, (shown) => {
    rendered += 1;
    // Its texts take a quarter of the bytes.
    return `${shown.item.item_type}${'x'.repeat(MOST_TEMPLATE_BYTES / 4)}`;
  });
  const fill = (item_type: FoundItem['item_type']) =>
    templates.fill({ code: 'a', typedCode: 'T', item: { ...plain, item_type }, sent: false });
  for (const type of ['keys', 'bag', 'keys', 'phone', 'keys', 'wallet', 'keys'] as const) fill(type);
  expect(rendered).toBe(4);
  fill('bag');
  expect(rendered).toBe(5);
  expect(templates.bytes).toBeLessThanOrEqual(MOST_TEMPLATE_BYTES);
});
