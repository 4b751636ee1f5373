import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { PlainDialog } from '#app/ui/dialog/plain-dialog.tsx';
import { dashboardWords } from '#words/dashboard.ts';

/** What each key does. Keys count where nothing is being typed. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const texts = dashboardWords(useLanguage()).shortcuts;
  const { common } = useTexts();
  const keys = [
    ['/', texts.search],
    ['?', texts.list],
    ['Esc', common.close],
  ] as const;
  return (
    <PlainDialog open onClose={onClose} title={texts.title} closeLabel={common.close}>
      <dl className="flex flex-col divide-y divide-line">
        {keys.map(([key, does]) => (
          <div key={key} className="flex items-center justify-between gap-4 py-3">
            <dt className="order-2">
              <kbd
                dir="ltr"
                className="rounded-md border border-line-strong bg-sunken px-2.5 py-1 font-semibold text-sm"
              >
                {key}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </PlainDialog>
  );
}
