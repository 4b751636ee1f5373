import { finderWords } from '#words/finder.ts';
import { messagePhotoWords } from '#words/message-photo.ts';
import { phrasesWords } from '#words/phrases.ts';
import { sharedWords } from '#words/shared.ts';
import { tapsWords } from '#words/taps.ts';
import { typedCodeWords } from '#words/typed-code.ts';
import type {
  FinderWords,
  MessagePhotoWords,
  PhrasesWords,
  SharedWords,
  TapsWords,
  TypedCodeWords,
  VisitorWords,
} from './words/compiled/types.ts';

/** The texts of the finder's page. */
export interface FinderTexts extends SharedWords, FinderWords, TapsWords, TypedCodeWords {
  readonly messagePhoto: MessagePhotoWords;
  readonly phrases: PhrasesWords;
}

/** What the finder's page needs of a language. */
export interface FinderViewLanguage {
  /** BCP 47. Documents have it as `lang`; dates are formatted with it. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: FinderTexts;
}

/** A language of finders, second contacts, and receivers of items, with all of its words. */
export interface FinderLanguage extends FinderViewLanguage {
  readonly words: VisitorWords;
}

/** Joins the words of the finder's page. */
export function finderTexts(
  words: Pick<VisitorWords, 'shared' | 'finder' | 'taps' | 'typedCode' | 'messagePhoto' | 'phrases'>,
): FinderTexts {
  const { shared, finder, taps, typedCode, messagePhoto, phrases } = words;
  return { ...shared, ...finder, ...taps, ...typedCode, messagePhoto, phrases };
}

/** The finder's page within the app, in the language of its screen. */
export function finderViewIn({ tag, direction }: Omit<FinderViewLanguage, 'texts'>): FinderViewLanguage {
  const texts = finderTexts({
    shared: sharedWords({ tag }),
    finder: finderWords({ tag }),
    taps: tapsWords({ tag }),
    typedCode: typedCodeWords({ tag }),
    messagePhoto: messagePhotoWords({ tag }),
    phrases: phrasesWords({ tag }),
  });
  return { tag, direction, texts };
}
