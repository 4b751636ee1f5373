import { useMessages } from '#app/lib/use-messages.ts';
import { LinkedSentence } from './linked-sentence.tsx';

/** What creating an account means. Its links open in a tab of their own, because the form beside them is half filled in. */
export function LegalNote() {
  const { auth } = useMessages();
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
