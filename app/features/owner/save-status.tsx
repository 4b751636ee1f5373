import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import type { SaveState } from './use-save-item.ts';

/** What became of a change that was not saved at once. */
export function SaveStatus({ state }: { readonly state: SaveState }) {
  const { common, itemEditing } = useMessages();
  if (state === 'refused') return <Alert>{itemEditing.refused}</Alert>;
  if (state !== 'waiting') return null;
  return <Alert tone="warning">{navigator.onLine ? itemEditing.waiting : common.offline}</Alert>;
}
