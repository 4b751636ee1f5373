import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { type ItemChange, saveItem } from '#app/lib/items.ts';
import { untilReached } from '#app/lib/until-reached.ts';

/** `waiting`: the service could not be reached, and it is tried again. */
export type SaveState = 'idle' | 'saving' | 'waiting' | 'refused';

/** Saves changes of an item, however long it takes to reach the service, and shows the item as it is then. */
export function useSaveItem(itemId: string) {
  const { revalidate } = useRevalidator();
  const [state, setState] = useState<SaveState>('idle');

  const save = async (change: ItemChange): Promise<boolean> => {
    setState('saving');
    const outcome = await untilReached(
      (client) => saveItem(client, itemId, change),
      () => setState('waiting'),
    );
    if (outcome === 'saved') await revalidate();
    setState(outcome === 'saved' ? 'idle' : 'refused');
    return outcome === 'saved';
  };

  return { save, state, isBusy: state === 'saving' || state === 'waiting' };
}
