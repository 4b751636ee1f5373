import { useEffect, useRef, useState } from 'react';
import { writeClipboard } from '#app/browser/clipboard/write-clipboard.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Button } from '#app/ui/button.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import type { NotificationsWords } from '#domain/words/compiled/types.ts';
import { notificationsWords } from '#words/notifications.ts';
import { AddressForm } from './address-form.tsx';
import {
  chooseForAddress,
  loadNoticeAddresses,
  MOST_ADDRESSES,
  type NoticeAddress,
  removeNoticeAddress,
  sendTestNotice,
  showTextAtAddress,
} from './notice-addresses.ts';
import type { MessageEvent } from './notice-choices.ts';
import { waitForResult } from './wait-for-result.ts';
import { WhichMessages } from './which-messages.tsx';

type Texts = NotificationsWords['addresses'];

const ABOUT = { about: 'notice-addresses' } as const;

/** The webhooks and ntfy topics of the owner. */
export function NoticeAddressesSection({ loaded }: { readonly loaded: readonly NoticeAddress[] | null }) {
  const texts = notificationsWords(useLanguage()).addresses;
  const load = async (): Promise<readonly NoticeAddress[]> => loadNoticeAddresses(await browserClient());
  const { value, failed, reload } = useReloadable(loaded, load);
  const [isAdding, setIsAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  /** What is being done, and to which address. */
  const [busy, setBusy] = useState<string | null>(null);
  /** Has the focus when what had it is gone. */
  const title = useRef<HTMLHeadingElement>(null);
  const { withRecentProof, proofDialog } = useRecentProof();

  const act = async (what: string, work: () => Promise<void>, done: string | null, failure: string) => {
    setBusy(what);
    await withRecentProof(work).then(
      () => done !== null && showToast('success', done, ABOUT),
      () => showToast('failure', failure, ABOUT),
    );
    await reload();
    setBusy(null);
  };
  const test = async ({ id, attemptedAt }: NoticeAddress) => {
    await sendTestNotice(await browserClient(), id);
    showToast('success', texts.tested, ABOUT);
    await waitForResult(async () =>
      // An attempt is stored as one without a response when it begins.
      (await load()).find(
        (address) => address.id === id && address.attemptedAt !== attemptedAt && address.lastStatus !== null,
      ),
    );
  };

  return (
    <section id="addresses" aria-labelledby="addresses-title" className="flex scroll-mt-4 flex-col gap-3 py-4">
      {proofDialog}
      <div>
        <h3 id="addresses-title" ref={title} tabIndex={-1} className="font-medium outline-none">
          {texts.title}
        </h3>
        <p className="text-ink-soft text-sm">{texts.lead}</p>
      </div>
      {failed && <PartFailed text={texts.loadFailed} retry={reload} />}
      {value !== null && value.length > 0 && (
        <ul aria-label={texts.list} className="flex flex-col divide-y divide-line">
          {value.map((address) => (
            <AddressLine
              key={address.id}
              address={address}
              texts={texts}
              busy={busy}
              onTest={() => void act(`test ${address.id}`, () => test(address), null, texts.testFailed)}
              onRemove={() =>
                void act(
                  `remove ${address.id}`,
                  async () => removeNoticeAddress(await browserClient(), address.id),
                  texts.removed,
                  texts.changeFailed,
                ).then(() => title.current?.focus())
              }
              onChoose={(event, isOn) =>
                void act(
                  `choose ${address.id}`,
                  async () => chooseForAddress(await browserClient(), address.id, event, isOn),
                  null,
                  texts.changeFailed,
                )
              }
              onShowText={(showsText) =>
                void act(
                  `text ${address.id}`,
                  async () => showTextAtAddress(await browserClient(), address.id, showsText),
                  null,
                  texts.changeFailed,
                )
              }
            />
          ))}
        </ul>
      )}
      {secret !== null && (
        <Secret
          secret={secret}
          texts={texts}
          onDone={() => {
            setSecret(null);
            title.current?.focus();
          }}
        />
      )}
      {isAdding && (
        <AddressForm
          texts={texts}
          onCancel={() => {
            setIsAdding(false);
            title.current?.focus();
          }}
          onAdded={async (added) => {
            setIsAdding(false);
            setSecret(added);
            // A secret takes the focus itself.
            if (added === null) title.current?.focus();
            showToast('success', texts.added, ABOUT);
            await reload();
          }}
        />
      )}
      {value !== null && !isAdding && secret === null && value.length < MOST_ADDRESSES && (
        <Button variant="outline" className="self-start" onClick={() => setIsAdding(true)}>
          {texts.add}
        </Button>
      )}
      {value !== null && value.length >= MOST_ADDRESSES && (
        <p className="text-ink-soft text-sm">{texts.full(MOST_ADDRESSES)}</p>
      )}
    </section>
  );
}

interface AddressLineProps {
  readonly address: NoticeAddress;
  readonly texts: Texts;
  readonly busy: string | null;
  readonly onTest: () => void;
  readonly onRemove: () => void;
  readonly onChoose: (event: MessageEvent, isOn: boolean) => void;
  readonly onShowText: (showsText: boolean) => void;
}

function AddressLine({ address, texts, busy, onTest, onRemove, onChoose, onShowText }: AddressLineProps) {
  const { id, kind, name, url, showsText, endedAt, gets } = address;
  return (
    <li className="flex flex-col gap-1 py-3">
      <p className="wrap-anywhere font-medium">
        <bdi translate="no">{name}</bdi> <span className="font-normal text-ink-soft text-sm">{texts.kinds[kind]}</span>
      </p>
      <p translate="no" dir="ltr" className="wrap-anywhere text-start text-ink-soft text-sm">
        {url}
      </p>
      <p role="status" className="text-sm">
        {stateOf(address, texts)}
      </p>
      {endedAt === null && (
        <div>
          <SwitchField label={texts.showText(name)} checked={showsText} onChange={onShowText} />
          <p className="text-ink-soft text-sm">{texts.showTextHint}</p>
          <WhichMessages of={name} isOn={(event) => gets[event]} onChange={onChoose} />
        </div>
      )}
      <div className="-ms-3 flex">
        {endedAt === null && (
          <Button
            variant="quiet"
            className="px-3! text-sm!"
            aria-label={texts.testOf(name)}
            busy={busy === `test ${id}`}
            onClick={onTest}
          >
            {texts.test}
          </Button>
        )}
        <Button
          variant="quiet"
          className="px-3! text-sm!"
          aria-label={texts.removeOf(name)}
          busy={busy === `remove ${id}`}
          onClick={onRemove}
        >
          {texts.remove}
        </Button>
      </div>
    </li>
  );
}

function stateOf({ endedAt, failingSince, lastStatus, deliveredAt }: NoticeAddress, texts: Texts): string {
  if (endedAt !== null) return texts.stopped;
  if (failingSince !== null) return lastStatus === null ? texts.failing : texts.failingWithStatus(String(lastStatus));
  return deliveredAt === null ? texts.neverTried : texts.works(formatDay(deliveredAt));
}

interface SecretProps {
  readonly secret: string;
  readonly texts: Texts;
  readonly onDone: () => void;
}

/** The secret of a webhook, shown until its owner says that they have it. */
function Secret({ secret, texts, onDone }: SecretProps) {
  const copy = () =>
    writeClipboard(secret).then(
      () => showToast('success', texts.copied, ABOUT),
      () => showToast('failure', texts.copyFailed, ABOUT),
    );
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section aria-label={texts.secretTitle} className="flex flex-col gap-3 rounded-md border border-line p-4">
      <h3 ref={title} tabIndex={-1} className="font-bold outline-none">
        {texts.secretTitle}
      </h3>
      <p className="text-sm">{texts.secretText}</p>
      <code translate="no" dir="ltr" className="wrap-anywhere select-all text-sm">
        {secret}
      </code>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={() => void copy()}>
          {texts.copy}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {texts.done}
        </Button>
      </div>
    </section>
  );
}
