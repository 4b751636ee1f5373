import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { Button } from '#app/ui/button.tsx';
import { SelectField, TextField } from '#app/ui/field/fields.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { trimBlanks } from '#domain/white-space.ts';
import type { NotificationsWords } from '#domain/words/compiled/types.ts';
import { addNoticeAddress, MOST_ADDRESSES, type NoticeAddressKind } from './notice-addresses.ts';

const ABOUT = { about: 'notice-addresses' } as const;

interface AddressFormProps {
  readonly texts: NotificationsWords['addresses'];
  readonly onCancel: () => void;
  readonly onAdded: (secret: string | null) => Promise<void>;
}

/** Adds a webhook or an ntfy topic. */
export function AddressForm({ texts, onCancel, onAdded }: AddressFormProps) {
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
        autoComplete="off"
        enterKeyHint="next"
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
        enterKeyHint="next"
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
          enterKeyHint="done"
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
