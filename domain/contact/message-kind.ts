import { type MessageKind, TAPS } from './message-details.ts';
import { FINDER_PHRASES, OWNER_PHRASES } from './phrases.ts';

const KINDS: readonly string[] = ['text', 'photo', ...TAPS, ...FINDER_PHRASES, ...OWNER_PHRASES];

export function isMessageKind(text: string): text is MessageKind {
  return KINDS.includes(text);
}
