import type { CatalogueItemType, ItemType } from './item-catalogue.ts';

/** What the tagging form holds: a chosen type, or a name of the owner's own for something else. */
export interface TaggingForm {
  readonly chosen: CatalogueItemType | 'custom' | null;
  readonly customName: string;
  readonly description: string;
}

/** The columns that tagging writes beside the code and its owner. */
export interface ItemDescription {
  readonly item_type: ItemType;
  readonly item_name: string;
  readonly description: string | null;
}

/**
 * What the form describes, or null where neither a type nor a name was given. A catalogue type takes its name from
 * `names`; an empty description is null.
 */
export function describeTagging(
  form: TaggingForm,
  names: Readonly<Record<CatalogueItemType, string>>,
): ItemDescription | null {
  const description = form.description.trim() || null;
  if (form.chosen !== null && form.chosen !== 'custom') {
    return { item_type: form.chosen, item_name: names[form.chosen], description };
  }
  const name = form.customName.trim();
  return form.chosen === 'custom' && name !== '' ? { item_type: 'custom', item_name: name, description } : null;
}
