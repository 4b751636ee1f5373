import { useState } from 'react';
import { type Item, SHORT_LIST } from '#app/data/items.ts';
import { TextField } from '#app/ui/field/fields.tsx';
import { useFoundItems } from './use-found-items.ts';

/** Returns the items that what is typed describes, and the field to type it in: null above a short list. */
export function useItemSearch(items: readonly Item[], label: string) {
  const [search, setSearch] = useState('');
  const field = items.length > SHORT_LIST && (
    <TextField
      label={label}
      type="search"
      enterKeyHint="search"
      autoComplete="off"
      value={search}
      onChange={({ target }) => setSearch(target.value)}
    />
  );
  return { found: useFoundItems(items, search), field };
}
