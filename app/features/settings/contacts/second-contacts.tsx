import { type SubmitEvent, useRef, useState } from 'react';
import type { AppClient } from '#app/client/app-client.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useFormInPlace } from '#app/form/use-form-in-place.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { useReloadable } from '#app/resilience/use-reloadable.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import type { SettingsWords } from '#domain/words/compiled/types.ts';
import { settingsWords } from '#words/settings.ts';
import {
  inviteSecondContact,
  loadSecondContacts,
  MOST_CONTACTS,
  readContactAddress,
  removeSecondContact,
  type SecondContact,
  setContactForAll,
} from './contact-list.ts';

type Texts = SettingsWords['contacts'];

/** Lists the second contacts, and invites others. `loaded` is null where they could not be loaded. */
export function SecondContacts({ loaded }: { readonly loaded: readonly SecondContact[] | null }) {
  const texts = settingsWords(useLanguage()).contacts;
  const { value, failed, reload } = useReloadable(loaded, async () => loadSecondContacts(await browserClient()));
  const [busy, setBusy] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const { hasMail, hasSms } = usePublicConfig();
  const { withRecentProof, proofDialog } = useRecentProof();

  const act = async (id: string, work: (client: AppClient) => Promise<void>, done: string | null) => {
    setBusy(id);
    await browserClient()
      .then((client) => withRecentProof(() => work(client)))
      .then(
        () => done !== null && announce(done),
        () => showToast('failure', texts.failed, { about: 'contacts' }),
      );
    await reload();
    setBusy(null);
  };
  return (
    <Card id="contacts" className="flex scroll-mt-4 flex-col gap-4">
      {proofDialog}
      <div>
        <h2 ref={title} tabIndex={-1} className="font-bold text-xl">
          {texts.title}
        </h2>
        <p className="text-ink-soft text-sm">{texts.lead}</p>
      </div>
      {failed && <PartFailed text={texts.loadFailed} retry={reload} />}
      {value !== null && value.length > 0 && (
        <ul aria-label={texts.list} className="flex flex-col divide-y divide-line">
          {value.map(({ id, address, state, forAll }) => (
            <li key={id} className="flex flex-col gap-1 py-3">
              <div className="flex flex-wrap items-center justify-between gap-x-3">
                <div className="min-w-0">
                  <p className="wrap-anywhere font-medium">
                    <bdi translate="no">{address}</bdi>
                  </p>
                  <p className="text-ink-soft text-sm">{texts[state]}</p>
                </div>
                {state !== 'left' && (
                  <Button
                    variant="quiet"
                    className="-me-3 px-3! text-sm!"
                    aria-label={texts.removeOf(address)}
                    busy={busy === id}
                    onClick={() =>
                      void act(id, (client) => removeSecondContact(client, id), texts.removed).then(() =>
                        title.current?.focus({ preventScroll: true }),
                      )
                    }
                  >
                    {texts.remove}
                  </Button>
                )}
              </div>
              {state !== 'left' && (
                <SwitchField
                  label={texts.forAll}
                  checked={forAll}
                  onChange={(isOn) => void act(`${id} all`, (client) => setContactForAll(client, id, isOn), null)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {value !== null &&
        (value.filter(({ state }) => state !== 'left').length >= MOST_CONTACTS ? (
          <Alert tone="info" quiet>
            {texts.full(MOST_CONTACTS)}
          </Alert>
        ) : (
          (hasMail || hasSms) && <InvitationForm reload={reload} texts={texts} />
        ))}
    </Card>
  );
}

function InvitationForm({ reload, texts }: { readonly reload: () => Promise<void>; readonly texts: Texts }) {
  const { hasMail, hasSms } = usePublicConfig();
  const { hint, invalid } = hasMail
    ? hasSms
      ? { hint: texts.hintAny, invalid: texts.invalid }
      : { hint: texts.hintEmail, invalid: texts.invalidEmail }
    : { hint: texts.hintPhone, invalid: texts.invalidPhone };
  const { isOpen, open, close, opener, placeId } = useFormInPlace();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const { withRecentProof, proofDialog } = useRecentProof();

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = readContactAddress(typed);
    if (address === null || !('phone' in address ? hasSms : hasMail)) {
      setProblem(invalid);
      return;
    }
    setBusy(true);
    const outcome = await browserClient()
      .then((client) => withRecentProof(() => inviteSecondContact(client, address)))
      .catch(() => 'failed' as const);
    setBusy(false);
    const problems = {
      known: texts.known,
      'not-texted': texts.notTexted,
      'too-many': texts.tooMany,
      failed: texts.failed,
    };
    if (outcome !== 'invited') {
      setProblem(problems[outcome]);
      return;
    }
    setTyped('');
    close();
    announce(texts.invited);
    await reload();
  };
  if (!isOpen) {
    return (
      <Button ref={opener} variant="outline" className="self-start" onClick={open}>
        {texts.openForm}
      </Button>
    );
  }
  return (
    <form id={placeId} noValidate className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      {proofDialog}
      <TextField
        label={texts.invitee}
        hint={hint}
        dir="ltr"
        autoComplete="off"
        enterKeyHint="send"
        value={typed}
        error={problem}
        onChange={({ target }) => {
          setTyped(target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" variant="outline" className="self-start" busy={busy}>
        {busy ? texts.inviting : texts.invite}
      </Button>
    </form>
  );
}
