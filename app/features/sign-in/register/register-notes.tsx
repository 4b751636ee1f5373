import { Fragment, type ReactNode } from 'react';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';

interface LinkedSentenceProps {
  /** The sentence's parts from the catalogue: text and links. */
  readonly parts: readonly ReactNode[];
  readonly className: string;
}

/** A sentence with links. */
function LinkedSentence({ parts, className }: LinkedSentenceProps) {
  return (
    <p className={className}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the sentence
        <Fragment key={index}>{part}</Fragment>
      ))}
    </p>
  );
}

/** The terms of creating an account. The links open in a new tab, because the form is partly filled in. */
export function LegalNote() {
  const { auth } = useSignInTexts();
  return (
    <LinkedSentence parts={auth.legalNote(linkTo('/terms'), linkTo('/privacy'))} className="text-ink-soft text-xs" />
  );
}

function linkTo(address: string) {
  return (words: string) => (
    <a href={address} target="_blank" rel="noopener" className="font-medium text-primary underline">
      {words}
    </a>
  );
}

/** What a finder can do after scanning a sticker that is not registered. */
export function FreeStickerNote({ code }: { readonly code: string }) {
  const { auth } = useSignInTexts();
  // A full page load: by then the sticker may have an item.
  const parts = auth.freeStickerFound((words) => (
    <a href={`/${code}`} className="font-medium text-primary underline">
      {words}
    </a>
  ));
  return <LinkedSentence parts={parts} className="text-ink-soft text-sm" />;
}
