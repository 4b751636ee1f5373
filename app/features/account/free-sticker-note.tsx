import { useMessages } from '#app/lib/use-messages.ts';
import { LinkedSentence } from './linked-sentence.tsx';

/** What somebody can do who found a thing and scanned its sticker, which nobody has registered. */
export function FreeStickerNote({ code }: { readonly code: string }) {
  const { auth } = useMessages();
  // The server is asked anew: by then the sticker may have an item.
  const parts = auth.freeStickerFound((words) => (
    <a href={`/${code}`} className="font-medium text-primary underline">
      {words}
    </a>
  ));
  return <LinkedSentence parts={parts} className="text-ink-soft text-sm" />;
}
