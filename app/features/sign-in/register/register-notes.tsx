import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { LinkedSentence } from '#app/ui/linked-sentence.tsx';

/** The terms of creating an account. The links open in a new tab, because the form is partly filled in. */
export function LegalNote() {
  const { auth } = useSignInTexts();
  return (
    <LinkedSentence
      parts={auth.legalNote({ terms: linkTo('/terms'), privacy: linkTo('/privacy') })}
      className="text-ink-soft text-xs"
    />
  );
}

function linkTo(address: string) {
  return (words: string) => (
    <a href={address} target="_blank" rel="noopener" className="font-medium text-primary underline">
      {words}
    </a>
  );
}
