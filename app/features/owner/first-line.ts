import type { Message } from '#app/data/messages.ts';
import type { SpokenPhrases } from '#app/i18n/speak-phrases.ts';
import type { Language } from '#domain/language.ts';
import { describeDetails } from '#domain/texts/describe-details.ts';
import { trimBlanks } from '#domain/white-space.ts';
import { messagePhotoWords } from '#words/message-photo.ts';

/** Returns the first line of what a message says: of its text, else of its details in words, else that it is a photo. */
export function firstLine(
  { body, details }: Pick<Message, 'body' | 'details'>,
  language: Language,
  phrases: SpokenPhrases,
): string {
  const written = trimBlanks(body).split('\n', 1)[0] ?? '';
  if (written !== '') return written;
  return (
    describeDetails({ ...details, body }, language.texts, phrases.say(details))[0] ??
    messagePhotoWords(language).ofFinder
  );
}
