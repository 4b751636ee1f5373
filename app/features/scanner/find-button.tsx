import { ScanLine } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { usePlainDocument } from '#app/browser/plain-document.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { SCAN_QUERY } from '#domain/tag-code/scan-address.ts';
import { ScanButton } from './scan-button.tsx';

const LOOK = {
  size: 'large',
  variant: 'outline',
  className: 'border-on-night-soft! bg-transparent! text-on-night! hover:bg-on-night! hover:text-night!',
} as const;

/** For a finder: the scanner, and the page for a code that cannot be scanned. */
export function FindButton() {
  const { typedCode } = useTexts();
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

/** Opens the scanner. On the plain document it leads to the app, which has it. */
function OpenScanner() {
  const { scanner } = useTexts();
  const isPlain = usePlainDocument() !== null;
  const content = (
    <>
      <ScanLine className="size-5 shrink-0" aria-hidden="true" />
      {scanner.find}
    </>
  );
  const [query] = useSearchParams();
  const isAsked = query.has(SCAN_QUERY);
  const [wasAsked] = useState(isAsked);
  const navigate = useNavigate();
  const clearQuery = useEffectEvent(() => navigate('/', { replace: true, preventScrollReset: true }));
  useEffect(() => {
    if (isAsked) void clearQuery();
  }, [isAsked]);

  if (isAsked) {
    return (
      <Button {...LOOK} busy>
        {content}
      </Button>
    );
  }
  if (!isPlain) {
    return (
      <ScanButton {...LOOK} openAtOnce={wasAsked}>
        {content}
      </ScanButton>
    );
  }
  return (
    <form action="/" data-scan="" className="contents noscript:hidden">
      <Button {...LOOK} type="submit" name={SCAN_QUERY} value="1">
        {content}
      </Button>
      <p role="alert" data-offline={scanner.notLoaded} className="text-sm empty:hidden" />
    </form>
  );
}
