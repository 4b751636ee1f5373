import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { writeClipboard } from '#app/browser/clipboard/write-clipboard.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { SelectField, TextField } from '#app/ui/field/fields.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { inLanguage } from '#domain/texts/in-language.ts';
import { noticeAddressesEn } from '#domain/texts/screens/notices/notice-addresses-en.ts';
import { trimBlanks } from '#domain/white-space.ts';
import {
  addNoticeAddress,
  loadNoticeAddresses,
  type NoticeAddress,
  type NoticeAddressKind,
  removeNoticeAddress,
  sendTestNotice,
  showTextAtAddress,
} from './notice-addresses.ts';

const textsOf = inLanguage({ en: noticeAddressesEn });

type Texts = typeof noticeAddressesEn;

const MOST_ADDRESSES = 5;
const ABOUT = { about: 'notice-addresses' } as const;
/** How often, and at which intervals in milliseconds, the result of a test is asked for. */
const LOOKS = 6;
const LOOK_MS = 1_500;

/** The webhooks and ntfy topics of the owner. */
export function NoticeAddressesSection({ loaded }: { readonly loaded: readonly NoticeAddress[] | null }) {
  const texts = textsOf(useLanguage());
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
    for (let look = 0; look < LOOKS; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const now = await load().catch(() => []);
      const found = now.find((address) => address.id === id);
      // An attempt is stored as one without a response when it begins.
      if (found === undefined || (found.attemptedAt !== attemptedAt && found.lastStatus !== null)) return;
    }
  };

  return (
    <Card id="addresses" className="flex scroll-mt-4 flex-col gap-4">
      {proofDialog}
      <div>
        <h2 ref={title} tabIndex={-1} className="font-bold text-xl outline-none">
          {texts.title}
        </h2>
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
    </Card>
  );
}

interface AddressLineProps {
  readonly address: NoticeAddress;
  readonly texts: Texts;
  readonly busy: string | null;
  readonly onTest: () => void;
  readonly onRemove: () => void;
  readonly onShowText: (showsText: boolean) => void;
}

function AddressLine({ address, texts, busy, onTest, onRemove, onShowText }: AddressLineProps) {
  const { id, kind, name, url, showsText, endedAt } = address;
  return (
    <li className="flex flex-col gap-1 py-3">
      <p className="wrap-anywhere font-medium">
        {name} <span className="font-normal text-ink-soft text-sm">{texts.kinds[kind]}</span>
      </p>
      <p dir="ltr" className="wrap-anywhere text-start text-ink-soft text-sm">
        {url}
      </p>
      <p role="status" className="text-sm">
        {stateOf(address, texts)}
      </p>
      {endedAt === null && (
        <div>
          <SwitchField label={texts.showText(name)} checked={showsText} onChange={onShowText} />
          <p className="text-ink-soft text-sm">{texts.showTextHint}</p>
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
  if (failingSince !== null) return lastStatus === null ? texts.failing : texts.failingWithStatus(lastStatus);
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
      <code dir="ltr" className="wrap-anywhere select-all text-sm">
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

interface AddressFormProps {
  readonly texts: Texts;
  readonly onCancel: () => void;
  readonly onAdded: (secret: string | null) => Promise<void>;
}

function AddressForm({ texts, onCancel, onAdded }: AddressFormProps) {
  const [kind, setKind] = useState<NoticeAddressKind>('webhook');
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [showsProblems, setShowsProblems] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { withRecentProof, proofDialog } = useRecentProof();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('select')?.focus(), []);
  const length = [...trimBlanks(name)].length;
  const problems = {
    name: length < 1 || length > 40 ? texts.nameMissing : undefined,
    url: /^https?:\/\/[!-~]+$/.test(url.trim()) ? undefined : texts.urlMissing,
    token: kind === 'webhook' || /^[A-Za-z0-9._~+/=-]{0,200}$/.test(token.trim()) ? undefined : texts.tokenInvalid,
  };
  const shown: Partial<typeof problems> = showsProblems ? problems : {};

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setShowsProblems(true);
    setRefusal(null);
    const invalid = (['name', 'url', 'token'] as const).find((field) => problems[field] !== undefined);
    if (invalid !== undefined) {
      form.current?.querySelector<HTMLElement>(`[name="${invalid}"]`)?.focus();
      return;
    }
    setBusy(true);
    const address = { kind, name: trimBlanks(name), url: url.trim(), token: token.trim() };
    const added = await browserClient()
      .then((client) => addNoticeAddress(client, address, withRecentProof))
      .catch(() => ({ kind: 'failed' }) as const);
    setBusy(false);
    if (added.kind === 'added') return onAdded(added.secret);
    if (added.kind === 'failed') return showToast('failure', texts.addFailed, ABOUT);
    setRefusal(
      { refused: texts.urlRefused, alreadyAdded: texts.alreadyAdded, full: texts.full(MOST_ADDRESSES) }[added.kind],
    );
  };

  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {proofDialog}
      <SelectField
        label={texts.kind}
        value={kind}
        onChange={({ target }) => setKind(target.value === 'ntfy' ? 'ntfy' : 'webhook')}
      >
        <option value="webhook">{texts.kinds.webhook}</option>
        <option value="ntfy">{texts.kinds.ntfy}</option>
      </SelectField>
      <TextField
        name="name"
        label={texts.name}
        value={name}
        error={shown.name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={texts.url}
        name="url"
        type="url"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        hint={kind === 'webhook' ? texts.webhookUrlHint : texts.ntfyUrlHint}
        value={url}
        error={shown.url ?? refusal ?? undefined}
        onChange={({ target }) => {
          setRefusal(null);
          setUrl(target.value);
        }}
      />
      {kind === 'ntfy' && (
        <TextField
          label={texts.token}
          name="token"
          type="password"
          dir="ltr"
          autoComplete="off"
          value={token}
          error={shown.token}
          onChange={({ target }) => setToken(target.value)}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          {busy ? texts.adding : texts.add}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
