import type { MessageDetails } from '../contact/message-details.ts';
import { isolateName } from '../isolate-name.ts';
import type { Texts } from './en.ts';

/**
 * Returns the lines that say a message's details in the language of the texts; none for a text alone. A photo speaks where
 * the message has no text: beside one, no words are added to it.
 */
export function describeDetails(
  { kind: stored, place, location, body }: MessageDetails & { readonly body: string },
  { taps }: Pick<Texts, 'taps'>,
): readonly string[] {
  const kind = stored === 'photo' && body !== '' ? 'text' : stored;
  const lines: string[] = [];
  if (place !== null) lines.push(taps.saidAt[kind](isolateName(place)));
  else if (kind !== 'text') lines.push(taps.said[kind]);
  if (location !== null) {
    const { latitude, longitude, exact } = location;
    const [north, east] = [latitude, longitude].map((degrees) => degrees.toFixed(exact ? 5 : 2));
    lines.push((exact ? taps.exactLocation : taps.location)(`${north}, ${east}`));
  }
  return lines;
}

/** Returns all that a message says, for a notice, which shows no photo. */
export function messageInWords(
  message: MessageDetails & { readonly body: string },
  texts: Pick<Texts, 'taps'>,
): string {
  const { kind, body } = message;
  const photo = kind === 'photo' && body !== '' && texts.taps.withPhoto;
  return [...describeDetails(message, texts), body, photo].filter(Boolean).join('\n');
}
