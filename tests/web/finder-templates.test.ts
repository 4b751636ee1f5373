import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FoundItem } from '#domain/found-item.ts';
import { CHANNELS } from '#domain/found-item.ts';
import { ITEM_TYPES } from '#domain/item-catalogue.ts';
import { en } from '#domain/messages/en.ts';
import { FinderTemplates, type ItemView } from '#server/web/finder/finder-templates.ts';
import { openBuiltPages } from '#server/web/pages/built-pages.ts';

const page = await (await openBuiltPages(resolve(import.meta.dirname, '../..'))).current();
const site = { productName: 'Reunite', storagePrefix: 'reunite' };
const render = (view: ItemView) => page.renderFinderDocument(site, { ...view, conversation: null });

/** What people may have typed: markup, what JSON and JavaScript escape, and what a template could take for its own. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('<b>', '&amp;', '"', "'", '\\', '$&', '$1', '\n', '</script>', '<!--', '\u2028', '🔑', 'ש', 'é'),
      fc.constantFrom('code', 'name', 'owner', 'note', 'photo').map((slot) => `\uE000${slot}\uE001`),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const photo = fc.stringMatching(/^[\w.-]{1,60}$/).map((name) => `/storage/v1/object/public/item-photos/${name}`);

const item: fc.Arbitrary<FoundItem> = fc.record({
  item_type: fc.constantFrom(...ITEM_TYPES, 'custom' as const, 'other' as const),
  item_name: fc.oneof(hostile, fc.constant('My Tagged Item')),
  owner_first_name: fc.oneof(hostile, fc.constant(en.finder.defaultOwnerName)),
  photo: fc.option(photo),
  note_to_finders: fc.option(hostile),
  lost: fc.boolean(),
  channels: fc.record({ whatsapp: fc.boolean(), call: fc.boolean(), email: fc.boolean(), message: fc.boolean() }),
});
const view = fc.record({ code: fc.stringMatching(/^[\w-]{1,64}$/), item, sent: fc.boolean() });

test('a template that is filled in is what the component renders, for whatever item', () => {
  const templates = new FinderTemplates(render);
  fc.assert(
    fc.property(view, view, (first, second) => {
      // The other one's strings in the same shape: its template is there already.
      const alike = {
        ...second,
        sent: first.sent,
        item: { ...second.item, item_type: first.item.item_type, lost: first.item.lost, channels: first.item.channels },
      };
      for (const shown of [first, alike]) expect(templates.content(shown).toString()).toBe(render(shown));
    }),
    { numRuns: 300 },
  );
});

const plain: FoundItem = {
  item_type: 'keys',
  item_name: 'Keys',
  owner_first_name: 'Dana',
  photo: null,
  note_to_finders: null,
  lost: false,
  channels: { whatsapp: true, call: true, email: true, message: true },
};

test('a shape is rendered once', () => {
  let rendered = 0;
  const templates = new FinderTemplates((shown) => {
    rendered += 1;
    return render(shown);
  });
  for (const item_name of ['Keys', 'Bag', 'Ring', 'Cup']) {
    templates.content({ code: `tgt-${item_name}`, item: { ...plain, item_name }, sent: false });
  }
  expect(rendered).toBe(1);
  for (const channel of CHANNELS) {
    templates.content({
      code: 'a',
      item: { ...plain, channels: { ...plain.channels, [channel]: false } },
      sent: false,
    });
  }
  expect(rendered).toBe(5);
});

test('the address of a photo that is none of ours is never filled in, so that React judges it', () => {
  const templates = new FinderTemplates(render);
  const shown = { code: 'a', item: { ...plain, photo: 'javascript:alert(1)' }, sent: false };
  expect(templates.content(shown).toString()).toBe(render(shown));
  expect(templates.content(shown).toString()).not.toContain('href="javascript:alert(1)"');
});
