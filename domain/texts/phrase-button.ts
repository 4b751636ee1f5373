import type { Phrase } from '../contact/phrases.ts';
import type { PhrasesWords } from '../words/compiled/types.ts';

/** Returns what the button of a phrase says. Of a phrase without fields, that is all that the phrase says. */
export function phraseButton(kind: Phrase, { finder, owner }: PhrasesWords): string {
  switch (kind) {
    case 'can_bring':
      return finder.bring.button;
    case 'here_until':
      return finder.hereUntil.button;
    case 'handed_in':
      return finder.handedIn.button;
    case 'can_post':
      return finder.post;
    case 'can_come':
      return owner.come.button;
    case 'please_leave':
      return owner.leave.button;
    case 'please_post':
      return owner.post.button;
    case 'please_photo':
      return owner.photo;
    case 'still_there':
      return owner.stillThere;
    case 'not_mine':
      return owner.notMine;
    case 'where':
      return owner.where;
    default:
      // Yes, no, and thanks, which both may say.
      return finder[kind];
  }
}
