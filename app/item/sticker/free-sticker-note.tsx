import { LinkedSentence } from '#app/ui/linked-sentence.tsx';
import type { SharedWords } from '#domain/words/compiled/types.ts';

interface FreeStickerNoteProps {
  readonly texts: Pick<SharedWords, 'item'>;
  /** Where the sticker leads. */
  readonly href: string;
}

/** What a finder can do after scanning a sticker without an item. */
export function FreeStickerNote({ texts: { item }, href }: FreeStickerNoteProps) {
  const parts = item.freeStickerFound((words) => (
    // A full page load: by then the sticker may have an item.
    <a href={href} className="font-medium text-primary underline">
      {words}
    </a>
  ));
  return <LinkedSentence parts={parts} className="text-ink-soft text-sm" />;
}
