import { isPhrase, type MessageDetails } from '../contact/message-details.ts';
import { isolateName } from '../isolate-name.ts';
import type { TapsWords } from '../words/compiled/types.ts';

/** Phrases that say their place themselves. */
const SAYS_PLACE: readonly string[] = ['can_bring', 'here_until', 'handed_in', 'can_come', 'please_leave'];

/**
 * Returns the lines that say a message's details in the language of the texts; none for a text alone. A photo speaks where
 * the message has no text: beside one, no words are added to it.
 *
 * @param phrase - What the message says as a phrase, by `phraseInWords`; null where it is none.
 */
export function describeDetails(
  { kind: stored, place, location, body }: MessageDetails & { readonly body: string },
  { taps }: TapsWords,
  phrase: string | null,
): readonly string[] {
  const kind = stored === 'photo' && body !== '' ? 'text' : stored;
  const lines: string[] = [];
  if (isPhrase(kind)) {
    if (phrase !== null) lines.push(phrase);
    if (place !== null && !SAYS_PLACE.includes(kind)) lines.push(taps.saidAt.text(isolateName(place)));
  } else if (place !== null) lines.push(taps.saidAt[kind](isolateName(place)));
  else if (kind !== 'text') lines.push(taps.said[kind]);
  if (location !== null) {
    const { latitude, longitude, exact } = location;
    const [north, east] = [latitude, longitude].map((degrees) => degrees.toFixed(exact ? 5 : 2));
    lines.push((exact ? taps.exactLocation : taps.location)(`${north}, ${east}`));
  }
  return lines;
}
