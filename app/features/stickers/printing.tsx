import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import { pageSize } from '#domain/stickers/sheet-layout.ts';

/** What is printed: the sheets, or the printer's test page. */
export type Printed = 'sheets' | 'test-page';

/**
 * Returns what is on the pages for the printer, and a function that prints. The browser's own command prints the sheets
 * too, where they are offered; otherwise it prints the screen.
 */
export function usePrinting(areOffered: boolean): [Printed | null, (what: Printed) => void] {
  const [printed, setPrinted] = useState<Printed | null>(null);
  const prepareOwn = useEffectEvent(() => {
    if (printed === null && areOffered) flushSync(() => setPrinted('sheets'));
  });
  useEffect(() => {
    const before = () => prepareOwn();
    const after = () => setPrinted(null);
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, []);
  const printNow = (what: Printed) => {
    flushSync(() => setPrinted(what));
    print();
  };
  return [printed, printNow];
}

/** Pages for the printer, which the screen does not show. They print without margins, on paper of the format's size. */
export function PrintedPages({ format, children }: { readonly format: LabelFormat; readonly children: ReactNode }) {
  const { width, height } = pageSize(format);
  // A layout effect, so that the rule holds when the print dialog opens.
  useLayoutEffect(() => {
    // A constructed sheet, because the page's policy allows no other styles that depend on a choice.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@page { size: ${width}mm ${height}mm; margin: 0; }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [width, height]);
  return createPortal(
    <div className="print-sheets" dir="ltr" aria-hidden="true">
      {children}
    </div>,
    document.body,
  );
}
