import { MessageSquare, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import {
  deleteGivenItem,
  type GivenBefore,
  type GivenItem,
  type GivenItemsPage,
} from '#app/data/transfers/given-items.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { ItemPicture } from '#app/item/item-picture.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { givingWords } from '#words/giving.ts';
import { addressOfEarlier } from './given-before.ts';

interface GivenItemsProps {
  readonly page: GivenItemsPage;
  /** Where the page begins; null for the newest records. */
  readonly before: GivenBefore | null;
  /** Unread messages by item id. */
  readonly unread: ReadonlyMap<string, number>;
}

/** The items that the account gave away, page by page, each with its messages and a way to forget it. */
export function GivenItems({ page: { given, next }, before, unread }: GivenItemsProps) {
  const texts = givingWords(useLanguage()).given;
  const list = useRef<HTMLDivElement>(null);
  const beginsAt = before?.id ?? null;
  const shown = useRef(beginsAt);
  // The link that led to another page may not be on it.
  useEffect(() => {
    if (shown.current !== beginsAt) list.current?.focus();
    shown.current = beginsAt;
  }, [beginsAt]);
  return (
    <>
      <div ref={list} tabIndex={-1} className="outline-none">
        {given.length === 0 ? (
          <p className="rounded-lg border-2 border-line border-dashed p-5 text-ink-soft">
            {before === null ? texts.none : texts.noEarlier}
          </p>
        ) : (
          <ul className="flex flex-col gap-3">
            {given.map((item) => (
              <GivenRow
                key={item.id}
                item={item}
                unread={unread.get(item.id) ?? 0}
                onDeleted={() => list.current?.focus()}
              />
            ))}
          </ul>
        )}
      </div>
      {(before !== null || next !== null) && (
        <div className="flex flex-wrap gap-3">
          {before !== null && (
            <LinkButton variant="outline" to="/given">
              {texts.newest}
            </LinkButton>
          )}
          {next !== null && (
            <LinkButton variant="outline" to={addressOfEarlier(next)}>
              {texts.earlier}
            </LinkButton>
          )}
        </div>
      )}
    </>
  );
}

/** When an item was given away, and to which address as far as it is known. */
export function GivenTo({ item: { email, givenAt } }: { readonly item: GivenItem }) {
  const texts = givingWords(useLanguage()).given;
  const day = formatDay(givenAt);
  return email === null ? (
    texts.givenOn(day)
  ) : (
    <WithName of={(address) => texts.givenTo({ email: address, day })} name={email} />
  );
}

interface GivenRowProps {
  readonly item: GivenItem;
  readonly unread: number;
  readonly onDeleted: () => void;
}

function GivenRow({ item, unread, onDeleted }: GivenRowProps) {
  const { dashboard } = useTexts();
  const texts = givingWords(useLanguage()).given;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface p-4">
      <ItemPicture item={{ ...item, photo: null }} size="row" />
      <div className="min-w-40 flex-1">
        <h2 className="wrap-anywhere font-semibold">
          <bdi>{item.itemName}</bdi>
        </h2>
        <p className="wrap-anywhere text-ink-soft text-sm">
          <GivenTo item={item} />
        </p>
        {unread > 0 && (
          <p className="mt-1 w-fit rounded-full bg-tag px-2.5 py-0.5 font-semibold text-on-tag text-xs">
            {dashboard.unread(unread)}
          </p>
        )}
      </div>
      <div className="-mx-3 flex flex-wrap">
        {item.hasMessages && (
          <LinkButton
            variant="quiet"
            to={`/given/${item.id}`}
            aria-label={texts.messagesOf(isolateName(item.itemName))}
            className="px-3!"
          >
            <MessageSquare className="size-5" aria-hidden="true" />
            {texts.messages}
          </LinkButton>
        )}
        <DeleteRecord item={item} onDeleted={onDeleted} />
      </div>
    </li>
  );
}

interface DeleteRecordProps {
  readonly item: GivenItem;
  readonly onDeleted: () => void;
}

function DeleteRecord({ item, onDeleted }: DeleteRecordProps) {
  const { common } = useTexts();
  const texts = givingWords(useLanguage()).given;
  const { revalidate } = useRevalidator();
  const [isAsking, setIsAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await deleteGivenItem(await browserClient(), item.id);
      announce(texts.removed);
      setIsAsking(false);
      onDeleted();
      await revalidate();
    } catch {
      showToast('failure', texts.removeFailed, { about: item.id });
    }
    setBusy(false);
  };
  return (
    <>
      <Button
        variant="quiet"
        aria-label={texts.removeOf(isolateName(item.itemName))}
        onClick={() => setIsAsking(true)}
        className="px-3!"
      >
        <Trash2 className="size-5" aria-hidden="true" />
        {texts.remove}
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={<WithName of={texts.removeTitle} name={item.itemName} />}
        closeLabel={common.close}
      >
        <p className="text-ink-soft">{texts.removeText}</p>
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" busy={busy} onClick={() => void remove()} className="flex-1">
            {busy ? texts.removing : texts.removeConfirm}
          </Button>
          <Button variant="outline" onClick={() => setIsAsking(false)} className="flex-1">
            {texts.keep}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
