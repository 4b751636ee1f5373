import { useMessages } from '#app/lib/use-messages.ts';

/** How many messages from finders wait, over all items. */
export function UnreadTotal({ unread }: { readonly unread: ReadonlyMap<string, number> }) {
  const { dashboard } = useMessages();
  const total = [...unread.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  return (
    <p className="mt-2 w-fit rounded-full bg-tag px-3 py-1 font-semibold text-on-tag text-sm">
      {dashboard.unread(total)}
    </p>
  );
}
