import type { MessageDetails } from '../contact/message-details.ts';
import { isolateName } from '../isolate-name.ts';
import type { PhrasesWords } from '../words/compiled/types.ts';
import { momentInWords } from './moment-in-words.ts';
import { phraseButton } from './phrase-button.ts';

/** What a phrase needs of its reader's language. */
export interface PhraseLanguage {
  /** BCP 47. */
  readonly tag: string;
  readonly phrases: PhrasesWords;
}

/**
 * Returns what a phrase says, with all of its fields, in the reader's language; null for a message that is none.
 *
 * @param timeZone - The reader's (IANA). Where it is not known, times are those of the sender, and name their zone.
 */
export function phraseInWords(
  details: MessageDetails,
  { tag, phrases }: PhraseLanguage,
  timeZone?: string,
): string | null {
  const { finder, owner } = phrases;
  const place = details.place === null ? null : isolateName(details.place);
  const { moment: instant = null, time_zone = null, desk = null, amount = null, currency = null } = details;
  const moment = instant === null ? null : momentInWords(instant, tag, { timeZone, senderZone: time_zone });
  switch (details.kind) {
    case 'can_bring':
      return meeting(finder.bring, place, moment);
    case 'can_come':
      return meeting(owner.come, place, moment);
    case 'here_until': {
      if (moment === null) return null;
      return place === null ? finder.hereUntil.said(moment) : finder.hereUntil.saidAt({ moment, place });
    }
    case 'handed_in': {
      if (desk === null) return null;
      return place === null ? finder.handedIn.said[desk] : finder.handedIn.saidAt[desk](place);
    }
    case 'please_leave':
      return place === null ? null : owner.leave.saidAt(place);
    case 'please_post': {
      if (amount === null || currency === null) return owner.post.said;
      const format = new Intl.NumberFormat(tag, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
      return owner.post.saidAmount(format.format(amount));
    }
    case 'can_post':
    case 'yes':
    case 'no':
    case 'thanks':
    case 'where':
    case 'please_photo':
    case 'still_there':
    case 'not_mine':
      return phraseButton(details.kind, phrases);
    default:
      return null;
  }
}

function meeting(
  words: Omit<PhrasesWords['finder']['bring'], 'button'>,
  place: string | null,
  moment: string | null,
): string {
  if (moment === null) return place === null ? words.said : words.saidAt(place);
  return place === null ? words.saidWhen(moment) : words.saidAtWhen({ place, moment });
}
