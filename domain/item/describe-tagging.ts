import { trimBlanks } from '#domain/white-space.ts';
import type { CatalogueItemType, ItemType } from './item-catalogue.ts';

/** The tagging form: a chosen type, or a custom name. */
export interface TaggingForm {
  readonly chosen: CatalogueItemType | 'custom' | null;
  readonly customName: string;
  readonly description: string;
}

/** The columns that tagging writes, besides the code and the owner. */
export interface ItemDescription {
  readonly item_type: ItemType;
  readonly item_name: string;
  readonly description: string | null;
}

/**
 * Returns what the form describes, or null without a type and a name. A catalogue type takes its name from `names`; an
 * empty description is null.
 *
 * @example
 * describeTagging({ chosen: 'custom', customName: ' Kite ', description: '' }, names);
 * // { item_type: 'custom', item_name: 'Kite', description: null }
 */
export function describeTagging(
  form: TaggingForm,
  names: Readonly<Record<CatalogueItemType, string>>,
): ItemDescription | null {
  const description = trimBlanks(form.description) || null;
  if (form.chosen !== null && form.chosen !== 'custom') {
    return { item_type: form.chosen, item_name: names[form.chosen], description };
  }
  const name = trimBlanks(form.customName);
  return form.chosen === 'custom' && name !== '' ? { item_type: 'custom', item_name: name, description } : null;
}
