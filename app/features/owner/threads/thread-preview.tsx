import { usePhrases } from '#app/i18n/use-phrases.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { itemPageWords } from '#words/item-page.ts';
import { firstLine } from '../first-line.ts';
import { detailsOf } from './phrases/details-of.ts';
import type { ThreadEntry } from './thread-bubble.tsx';

/** The first line of a conversation's newest message, cut to what fits. */
export function ThreadPreview({ newest }: { readonly newest: ThreadEntry }) {
  const language = useLanguage();
  const { item } = language.texts;
  const { threads } = itemPageWords(language);
  const line = firstLine({ body: newest.body, details: detailsOf(newest) }, language, usePhrases());
  const isContact = !('state' in newest) && newest.byContact;
  const isMine = 'state' in newest || newest.sender === 'owner';
  if (!isMine) {
    return (
      <span dir="auto" className="block truncate">
        {line}
      </span>
    );
  }
  return (
    <span className="block truncate">
      {isContact ? item.owner.fromContact : threads.you}: <bdi>{line}</bdi>
    </span>
  );
}
