import { useTexts } from '#app/i18n/use-texts.ts';

/** Says, on the landing page that a scan led to, that a code was detected (`detected-notice.ts`). */
export function PlainDetected() {
  const { scanner } = useTexts();
  return (
    <p
      role="status"
      data-detected={scanner.detected}
      className="sticky top-0 z-50 flex min-h-14 items-center justify-center gap-3 bg-night px-4 py-2 font-medium text-on-night text-sm empty:hidden"
    />
  );
}
