import { Link } from 'react-router';
import { formatDay } from '#app/lib/format-date.ts';
import { ItemIcon } from '#app/lib/item-icon.tsx';
import type { Item } from '#app/lib/items.ts';
import { photoAddress, smallPhotoAddress } from '#app/lib/photo-address.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { threadsPath } from './threads-path.ts';

/** One item on the dashboard. The whole card leads to it. */
export function ItemCard({ item, unread }: { readonly item: Item; readonly unread: number }) {
  const { dashboard } = useMessages();
  return (
    <li>
      <Link
        to={unread > 0 ? threadsPath(item) : `/item/${item.qrId}`}
        className="group relative flex h-full gap-4 rounded-lg border border-line bg-surface p-5 shadow-raised transition-[border-color,translate] hover:-translate-y-0.5 hover:border-primary sm:flex-col"
      >
        {item.photo === null ? (
          <span className="grid size-16 shrink-0 place-content-center rounded-md bg-primary-soft text-primary">
            <ItemIcon type={item.itemType} size={30} />
          </span>
        ) : (
          <img
            src={smallPhotoAddress(photoAddress(item.photo))}
            alt=""
            width={64}
            height={64}
            loading="lazy"
            decoding="async"
            className="size-16 shrink-0 rounded-md bg-primary-soft object-cover"
          />
        )}
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <h2 className="wrap-anywhere font-semibold text-lg leading-snug group-hover:text-primary">{item.itemName}</h2>
          {item.description !== null && (
            <p className="line-clamp-2 wrap-anywhere text-ink-soft text-sm">{item.description}</p>
          )}
          <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-2 text-ink-soft text-xs">
            {dashboard.taggedOn(formatDay(item.createdAt))}
            {item.lostAt !== null && (
              <span className="rounded-full bg-danger-soft px-2.5 py-0.5 font-semibold text-danger">
                {dashboard.lost}
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
