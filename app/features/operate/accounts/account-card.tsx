import { useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { callAsOperator, isRefused } from '../operator-calls.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import type { ContactDetails, FoundAccount } from './account.ts';
import { MadeLink, makeLink } from './made-link.tsx';
import { sendSignInLink } from './send-sign-in-link.ts';

interface AccountCardProps {
  readonly account: FoundAccount;
  /** The address, or without a mail server also the number, by which it was found; null for something else. */
  readonly foundBy: string | null;
  readonly reload: () => Promise<void>;
}

type Asked = 'show' | 'makeLink' | 'signOut' | 'disable' | 'delete';
const ACTS = { signOut: 'end_sessions', disable: 'disable', delete: 'delete' } as const;

/** What is known of an account, and what can be done with it. */
export function AccountCard({ account, foundBy, reload }: AccountCardProps) {
  const texts = useOperateTexts();
  const words = texts.accounts;
  const [asked, setAsked] = useState<Asked | null>(null);
  const [details, setDetails] = useState<ContactDetails | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { hasMail } = usePublicConfig();

  const act = async (what: string): Promise<string | null> => {
    try {
      await callAsOperator('act_on_account', { user_id_param: account.id, act_param: what });
    } catch (error) {
      return isRefused(error, 'PT409') ? words.isOperator : texts.failed;
    }
    await reload();
    showToast('success', texts.done, { about: 'operate' });
    return null;
  };
  const show = async (reason: string) => {
    const values = { user_id_param: account.id, reason_param: reason };
    setDetails(await callAsOperator<ContactDetails>('look_at_contact_details', values));
    return null;
  };
  const make = async (reason: string | null) => {
    try {
      setLink(await makeLink(foundBy ?? '', reason));
    } catch (error) {
      if (isRefused(error, 'PT409')) return words.isOperator;
      return isRefused(error, 'PT422') ? words.byPhone : texts.failed;
    }
    return null;
  };
  const acts = (reason: string): Promise<string | null> => {
    if (asked === 'show') return show(reason);
    if (asked === 'makeLink') return make(reason);
    return asked === null ? Promise.resolve(null) : act(ACTS[asked]);
  };
  const atOnce = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work().then(
      () => showToast('success', texts.done, { about: 'operate' }),
      () => showToast('failure', texts.failed, { about: 'operate' }),
    );
    setBusy(false);
  };
  const facts = [
    words.since(formatDay(account.created_at)),
    ...(account.last_sign_in_at === null ? [] : [words.lastSignIn(formatDay(account.last_sign_in_at))]),
    words.has(account),
    words.factors(account.second_factors),
    ...(account.email_refused_at === null ? [] : [words.refused(formatDay(account.email_refused_at))]),
  ];
  const marks = [
    ...(account.disabled_until === null ? [] : [words.disabled]),
    ...(account.confirmed_at === null ? [words.unconfirmed] : []),
    ...(account.is_operator ? [words.operator] : []),
  ];
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 translate="no" className="wrap-anywhere font-medium font-mono text-sm">
          {account.id}
        </h2>
        {marks.length > 0 && <p className="font-medium text-danger">{marks.join(' · ')}</p>}
        {facts.map((fact) => (
          <p key={fact} className="text-ink-soft text-sm">
            {fact}
          </p>
        ))}
      </div>
      {details !== null && (
        <p className="wrap-anywhere flex flex-col">
          {[details.name, details.email, details.phone].map(
            (detail) => detail !== null && <bdi key={detail}>{detail}</bdi>,
          )}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" disabled={details !== null} onClick={() => setAsked('show')}>
          {words.show}
        </Button>
        {hasMail ? (
          <Button
            variant="outline"
            disabled={foundBy === null || busy}
            onClick={() => void atOnce(() => sendSignInLink(account.id, foundBy ?? ''))}
          >
            {words.link}
          </Button>
        ) : (
          <Button variant="outline" disabled={foundBy === null} onClick={() => setAsked('makeLink')}>
            {words.makeLink}
          </Button>
        )}
        <Button variant="outline" disabled={account.sessions === 0} onClick={() => setAsked('signOut')}>
          {words.signOut}
        </Button>
        {account.disabled_until === null ? (
          <Button variant="outline" onClick={() => setAsked('disable')}>
            {words.disable}
          </Button>
        ) : (
          <Button variant="outline" busy={busy} onClick={() => void act('enable')}>
            {words.enable}
          </Button>
        )}
        <Button variant="danger" onClick={() => setAsked('delete')}>
          {words.delete}
        </Button>
      </div>
      {foundBy === null && account.has_email && <p className="text-ink-soft text-sm">{words.linkHint}</p>}
      {link !== null && <MadeLink link={link} />}
      {asked !== null && (
        <ActDialog
          title={words[asked]}
          text={
            <>
              {/* What it says of emails is not so without a mail server. */}
              {(hasMail || asked !== 'disable') && <p>{words[`${asked}Text`]}</p>}
              {asked === 'delete' && <p className="mt-2 font-medium text-ink">{words.has(account)}</p>}
            </>
          }
          asksReason={asked === 'show' || (asked === 'makeLink' && account.confirmed_at !== null)}
          isDangerous={asked === 'delete' || asked === 'disable'}
          onAct={acts}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
}
