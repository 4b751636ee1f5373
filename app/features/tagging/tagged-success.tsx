import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { FinderLink } from '#app/lib/finder-link.tsx';
import { ItemIcon } from '#app/lib/item-icon.tsx';
import type { Item } from '#app/lib/items.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';

/** How long the success is shown before the dashboard, in milliseconds (specification, section 9). */
const SHOWN = 3_000;

interface TaggedSuccessProps {
  readonly item: Item;
  /** Shows the item's link, for whoever has no sticker that carries it. */
  readonly withLink: boolean;
}

export function TaggedSuccess({ item, withLink }: TaggedSuccessProps) {
  const { item: texts, tagging } = useMessages();
  const navigate = useNavigate();
  // Whoever copies the link, or has reached it with the keyboard, is given the time to.
  const [isHeld, setIsHeld] = useState(false);

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => void navigate('/dashboard', { replace: true }), SHOWN);
    return () => clearTimeout(timer);
  }, [navigate, isHeld]);

  return (
    <div className="flex flex-col items-center gap-5 py-12 text-center" role="status">
      <span className="tag-pop grid size-28 -rotate-6 place-content-center rounded-xl bg-tag text-on-tag shadow-floating">
        <ItemIcon type={item.itemType} size={52} />
      </span>
      <h1 className="font-bold text-3xl">{tagging.successTitle}</h1>
      <p className="text-ink-soft">{tagging.successText}</p>
      {withLink && (
        <fieldset
          className="w-full"
          aria-label={tagging.successLink}
          onFocus={() => setIsHeld(true)}
          onBlur={() => setIsHeld(false)}
          onPointerEnter={() => setIsHeld(true)}
          onPointerLeave={() => setIsHeld(false)}
        >
          <FinderLink code={item.qrId} title={tagging.successLink} />
        </fieldset>
      )}
      <LinkButton variant="quiet" to="/dashboard" replace>
        {texts.returnToDashboard}
      </LinkButton>
    </div>
  );
}
