import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useForm } from '#app/form/use-form.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { callAsOperator } from '../operator-calls.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import type { FoundAccount } from './account.ts';
import { AccountCard } from './account-card.tsx';

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
      {found?.accounts.length === 0 && <p>{texts.accounts.none}</p>}
      {found?.accounts.map((account) => (
        <AccountCard
          key={account.id}
          account={account}
          email={found.query.includes('@') && account.has_email ? found.query : null}
          reload={() => find(found.query)}
        />
      ))}
    </div>
  );
}
