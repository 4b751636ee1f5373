import { Link } from 'react-router';
import type { Item } from '#app/data/items.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { ItemPicture } from '#app/item/item-picture.tsx';
import { threadsPath } from '../threads/announce-messages.ts';

/** An item on the dashboard. The whole card is a link. */
export function ItemCard({ item, unread }: { readonly item: Item; readonly unread: number }) {
  const { dashboard } = useTexts();
  return (
    <li>
      <Link
        to={unread > 0 ? threadsPath(item) : `/item/${item.qrId}`}
        className="group relative flex h-full gap-4 rounded-lg border border-line bg-surface p-4 shadow-raised sm:p-5 transition-[border-color,translate] hover:-translate-y-0.5 hover:border-primary sm:flex-col"
      >
        <ItemPicture item={item} size="card" />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <h2 className="wrap-anywhere font-semibold text-lg leading-snug group-hover:text-primary">
            <bdi>{item.itemName}</bdi>
          </h2>
          {item.description !== null && (
            <p className="line-clamp-2 wrap-anywhere text-ink-soft text-sm">
              <bdi>{item.description}</bdi>
            </p>
          )}
          <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-2 text-ink-soft text-xs">
            {dashboard.taggedOn(formatDay(item.createdAt))}
            {item.lostAt !== null && (
              <span className="rounded-full bg-danger-soft px-2.5 py-0.5 font-semibold text-danger">
                {dashboard.lost}
              </span>
            )}
            {item.needsSticker && (
              <span className="rounded-full bg-tag-soft px-2.5 py-0.5 font-semibold text-on-tag-soft">
                {dashboard.needsSticker}
              </span>
            )}
            {item.voidReason !== null && (
              <span className="rounded-full bg-tag-soft px-2.5 py-0.5 font-semibold text-on-tag-soft">
                {dashboard.voidCode}
              </span>
            )}
          </p>
          {unread > 0 && (
            <p className="mt-2 self-start rounded-full bg-tag px-3 py-1 font-semibold text-on-tag text-xs sm:absolute sm:end-5 sm:top-5 sm:mt-0">
              {dashboard.unread(unread)}
            </p>
          )}
        </div>
      </Link>
    </li>
  );
}
