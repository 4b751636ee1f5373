import { LayoutGrid, type LucideIcon, MessageCircle, QrCode, Settings } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useTexts } from '#app/i18n/use-texts.ts';

interface Entry {
  readonly to: '/dashboard' | '/messages' | '/stickers' | '/profile';
  readonly name: 'items' | 'messages' | 'stickers' | 'settings';
  readonly icon: LucideIcon;
  /** The first parts of the paths that belong to it. */
  readonly parts: readonly string[];
}

const ENTRIES: readonly Entry[] = [
  {
    to: '/dashboard',
    name: 'items',
    icon: LayoutGrid,
    parts: ['dashboard', 'item', 'offer', 'given', 'spreadsheet'],
  },
  { to: '/messages', name: 'messages', icon: MessageCircle, parts: ['messages'] },
  { to: '/stickers', name: 'stickers', icon: QrCode, parts: ['stickers'] },
  { to: '/profile', name: 'settings', icon: Settings, parts: ['profile'] },
];

/** The menu of a signed-in user: in the header, and at the bottom of a phone's screen (`bar:`, app.css). */
export function MainMenu() {
  const { menu } = useTexts();
  const { pathname } = useLocation();
  return (
    <nav
      aria-label={menu.label}
      data-main-menu=""
      className="bar:fixed bar:inset-x-0 bar:bottom-0 bar:z-30 bar:border-line bar:border-t bar:bg-surface bar:pb-[env(safe-area-inset-bottom)] md:ms-4 print:hidden"
    >
      <ul className="flex flex-wrap bar:h-[calc(var(--menu-height)-1px)] bar:flex-nowrap md:gap-1">
        {ENTRIES.map(({ to, name, icon: Icon, parts }) => (
          <li key={to} className="bar:flex bar:min-w-0 bar:flex-1">
            <Link
              to={to}
              aria-current={
                pathname === to ? 'page' : parts.includes(pathname.split('/')[1] ?? '') ? 'true' : undefined
              }
              className="group inline-flex min-h-11 items-center gap-2 rounded-md px-3 font-medium text-ink-soft hover:text-ink aria-[current]:text-primary md:aria-[current]:bg-primary-soft bar:min-w-0 bar:flex-1 bar:flex-col bar:justify-center bar:gap-0.5 bar:rounded-none bar:px-1 bar:text-[min(0.75rem,3.75vw)]/tight bar:-outline-offset-4!"
            >
              <span className="grid place-content-center rounded-full bar:h-7 bar:w-14 bar:group-aria-[current]:bg-primary-soft">
                <Icon className="size-5" aria-hidden="true" />
              </span>
              {menu[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
