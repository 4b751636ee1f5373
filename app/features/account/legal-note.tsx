import { Fragment } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';

/** What creating an account means. Its links open in a tab of their own, because the form beside them is half filled in. */
export function LegalNote() {
  const { auth } = useMessages();
  const parts = auth.legalNote(linkTo('/terms'), linkTo('/privacy'));
  return (
    <p className="text-ink-soft text-xs">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the sentence
        <Fragment key={index}>{part}</Fragment>
      ))}
    </p>
  );
}

function linkTo(address: string) {
  return (words: string) => (
    <a href={address} target="_blank" rel="noopener" className="font-medium text-primary underline">
      {words}
    </a>
  );
}
