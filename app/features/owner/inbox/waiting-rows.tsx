import { useTexts } from '#app/i18n/use-texts.ts';
import { NeedsScript } from '#app/ui/waiting.tsx';
import { useUnsettled } from '#app/ui/when-idle.ts';

/** In place of the conversations until they are loaded, in their shape. */
export function WaitingRows() {
  const { common } = useTexts();
  useUnsettled();
  return (
    <>
      <p role="status" className="sr-only noscript:hidden">
        {common.loading}
      </p>
      <NeedsScript>{common.needsScript}</NeedsScript>
      <ul
        aria-hidden="true"
        className="-mx-4 animate-pulse divide-y divide-line border-line border-y bg-surface noscript:hidden sm:mx-0 sm:rounded-lg sm:border"
      >
        {LINES.map(([name, line]) => (
          <li key={line} className="flex items-center gap-3.5 py-3.5 ps-6 pe-4">
            <span className="size-12 shrink-0 rounded-md bg-sunken" />
            <span className="flex flex-1 flex-col gap-2.5">
              <span className={`h-4 rounded-full bg-sunken ${name}`} />
              <span className={`h-3.5 rounded-full bg-sunken ${line}`} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How wide the two lines of each row are. */
const LINES = [
  ['w-2/5', 'w-10/12'],
  ['w-1/3', 'w-3/5'],
  ['w-1/2', 'w-11/12'],
  ['w-1/4', 'w-2/3'],
  ['w-2/5', 'w-3/4'],
  ['w-1/3', 'w-1/2'],
] as const;
