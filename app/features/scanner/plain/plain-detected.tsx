import { useTexts } from '#app/i18n/use-texts.ts';

/** Says, on the landing page that a scan led to, that a code was detected (`detected-notice.ts`). */
export function PlainDetected() {
  const { scanner } = useTexts();
  return (
    <p
      role="status"
      data-detected={scanner.detected}
      className="fixed inset-x-4 bottom-4 z-50 mx-auto flex min-h-14 max-w-md items-center gap-3 rounded-md border border-on-night/20 bg-night px-4 py-2 font-medium text-on-night text-sm shadow-floating empty:hidden sm:inset-x-auto sm:end-6 sm:bottom-6 sm:w-96"
    />
  );
}
