import type { MessageDetails } from '../contact/message-details.ts';
import { isolateName } from '../isolate-name.ts';
import type { Texts } from './en.ts';

/** Returns the lines that say a message's details in the language of the texts; none for a text alone. */
export function describeDetails(
  { kind, place, location }: MessageDetails,
  { taps }: Pick<Texts, 'taps'>,
): readonly string[] {
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
