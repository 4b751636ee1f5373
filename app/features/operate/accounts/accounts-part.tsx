import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useForm } from '#app/form/use-form.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { callAsOperator } from '../operator-calls.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import type { FoundAccount } from './account.ts';
import { AccountCard } from './account-card.tsx';
import { MadeLink, makeLink } from './made-link.tsx';

interface Found {
  readonly query: string;
  readonly accounts: readonly FoundAccount[];
}

/** Finds an account by what exactly names it. What is typed never becomes a part of the address. */
export function AccountsPart() {
  const texts = useOperateTexts();
  const { state } = useLocation();
  // A report names the account by its id.
  const asked = typeof state?.find === 'string' ? state.find : '';
  const [found, setFound] = useState<Found | null>(null);
  const begun = useRef(false);
  const { hasMail } = usePublicConfig();

  const find = async (query: string) => {
    const accounts = await callAsOperator<FoundAccount[]>('look_for_account', { query_param: query });
    setFound({ query, accounts });
    if (accounts.length === 0) announce(texts.accounts.none);
  };
  const { frame, edited, busy } = useForm({
    fields: ['query'],
    check: () => ({}),
    send: async ({ query }) => {
      if (query.trim() !== '') await find(query.trim());
      return null;
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the visit came with.
  useEffect(() => {
    if (asked === '' || begun.current) return;
    begun.current = true;
    find(asked).catch(() => undefined);
  }, []);

  return (
    <div className="flex flex-col gap-5">
      <Card>
        <Form {...frame}>
          <TextField
            label={texts.accounts.query}
            hint={texts.accounts.hint}
            name="query"
            defaultValue={asked}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={() => edited('query')}
          />
          <Button type="submit" busy={busy} className="self-start">
            {texts.accounts.find}
          </Button>
        </Form>
      </Card>
      {found?.accounts.length === 0 && (
        <>
          <p>{texts.accounts.none}</p>
          {!hasMail && found.query.includes('@') && <Invitation key={found.query} email={found.query} />}
        </>
      )}
      {found?.accounts.map((account) => (
        <AccountCard
          key={account.id}
          account={account}
          foundBy={canLead(found.query, account, hasMail) ? found.query : null}
          reload={() => find(found.query)}
        />
      ))}
    </div>
  );
}

/** Whether what an account was found by can name it where a link is sent or made. */
function canLead(query: string, account: FoundAccount, hasMail: boolean): boolean {
  if (query.includes('@')) return account.has_email || !hasMail;
  return !hasMail && account.has_phone && query.startsWith('+');
}

/** Without a mail server, an operator shows or sends the link that invites a person. */
function Invitation({ email }: { readonly email: string }) {
  const texts = useOperateTexts();
  const [link, setLink] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (link !== null)
    return (
      <Card>
        <MadeLink link={link} />
      </Card>
    );
  const invite = async () => {
    setBusy(true);
    await makeLink(email, null).then(setLink, () => showToast('failure', texts.failed, { about: 'operate' }));
    setBusy(false);
  };
  return (
    <Button variant="outline" className="self-start" busy={busy} onClick={() => void invite()}>
      {texts.accounts.invite}
    </Button>
  );
}
