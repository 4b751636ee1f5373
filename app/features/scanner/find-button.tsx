import { ScanLine } from 'lucide-react';
import { usePlainDocument } from '#app/browser/plain-document.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { typedCodeWords } from '#words/typed-code.ts';
import { ScanButton } from './scan-button.tsx';

const LOOK = {
  size: 'large',
  variant: 'outline',
  className:
    'noscript:hidden border-on-night-soft! bg-transparent! text-on-night! hover:bg-on-night! hover:text-night!',
} as const;

/** For a finder: the scanner, and the page for a code that cannot be scanned. */
export function FindButton() {
  const { typedCode } = typedCodeWords(useLanguage());
  return (
    <>
      <OpenScanner />
      {/* Outside the app, and without scripts. */}
      <a href="/found" className="inline-flex min-h-11 items-center text-on-night-soft underline hover:text-on-night">
        {typedCode.link}
      </a>
    </>
  );
}

/** Opens the scanner: in the plain document, that which it has itself. */
function OpenScanner() {
  const { scanner } = useTexts();
  const content = (
    <>
      <ScanLine className="size-5 shrink-0" aria-hidden="true" />
      {scanner.find}
    </>
  );
  return usePlainDocument() === null ? (
    <ScanButton {...LOOK}>{content}</ScanButton>
  ) : (
    <Button {...LOOK} data-scan="">
      {content}
    </Button>
  );
}
