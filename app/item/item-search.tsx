import { useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { TextField } from '#app/ui/field/fields.tsx';

/** Longer lists have a search field. */
const SHORT_LIST = 8;

/** Returns the items whose name contains what is typed, and the field to type it in: null above a short list. */
export function useItemSearch(items: readonly Item[], label: string) {
  const [search, setSearch] = useState('');
  const words = search.toLocaleLowerCase().trim();
  const found = items.filter(({ itemName }) => itemName.toLocaleLowerCase().includes(words));
  const field = items.length > SHORT_LIST && (
    <TextField label={label} type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
  );
  return { found, field };
}
