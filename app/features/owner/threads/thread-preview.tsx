import { useLanguage } from '#app/i18n/use-texts.ts';
import { describeDetails } from '#domain/texts/describe-details.ts';
import { messagePhotoTexts } from '#domain/texts/message-photo/message-photo.ts';
import { trimBlanks } from '#domain/white-space.ts';
import type { ThreadEntry } from './thread-bubble.tsx';

/** The first line of a conversation's newest message, cut to what fits. */
export function ThreadPreview({ newest }: { readonly newest: ThreadEntry }) {
  const language = useLanguage();
  const { item, threads } = language.texts;
  const said = 'state' in newest ? [] : describeDetails({ ...newest.details, body: newest.body }, language.texts);
  const [line = messagePhotoTexts(language).ofFinder] = [firstLine(newest.body), ...said].filter((text) => text !== '');
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

function firstLine(text: string): string {
  return trimBlanks(text).split('\n', 1)[0] ?? '';
}
