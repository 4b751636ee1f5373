import { Link } from 'react-router';
import { TABS, type Tab } from './console-data.ts';
import { useOperateTexts } from './use-operate-texts.ts';

/** The menu of the console's parts. */
export function ConsoleMenu({ tab }: { readonly tab: Tab | null }) {
  const texts = useOperateTexts();
  return (
    <nav aria-label={texts.parts}>
      <ul className="-mx-3 flex flex-wrap gap-1">
        {TABS.map((to) => (
          <li key={to}>
            <Link
              to={`/operate?see=${to}`}
              aria-current={tab === to ? 'page' : undefined}
              className="inline-flex min-h-11 items-center rounded-md px-3 font-medium text-ink-soft hover:text-ink aria-[current]:bg-primary-soft aria-[current]:text-primary forced-colors:aria-[current]:border"
            >
              {texts.tabs[to]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
