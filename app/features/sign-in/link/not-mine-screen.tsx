import { useState } from 'react';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { NeedsScript } from '#app/ui/waiting.tsx';
import { accountLinksWords } from '#words/account-links.ts';
import { useFragment } from './recovery-link.ts';
import { ResultCard } from './result-card.tsx';

/** Removes an address from the account that claimed it, for anyone with the link from the email, signed in or not. */
export function NotMineScreen() {
  const { common } = useTexts();
  const texts = accountLinksWords(useLanguage()).notMine;
  const token = new URLSearchParams(useFragment().replace(/^#/, '')).get('token_hash');
  const hydrated = useHydrated();
  const [state, setState] = useState<'asking' | 'busy' | 'done' | 'dead' | 'failed'>('asking');

  const takeOff = async () => {
    setState('busy');
    const client = await browserClient();
    const { data, error } = await client.rpc('disown_address', { token_param: token });
    if (error) throw error;
    setState(data === true ? 'done' : 'dead');
  };

  if (state === 'done') return <Ended title={texts.doneTitle} text={texts.doneText} />;
  if (state === 'dead' || (hydrated && token === null)) {
    return <Ended title={texts.deadTitle} text={texts.deadText} />;
  }
  return (
    <Card className="flex flex-col gap-5">
      <h1 className="font-bold text-2xl">{texts.title}</h1>
      <p className="text-ink-soft">{texts.text}</p>
      {state === 'failed' && <Alert tone="danger">{texts.failed}</Alert>}
      <Button
        size="large"
        wide
        disabled={!hydrated}
        busy={state === 'busy'}
        onClick={() => void takeOff().catch(() => setState('failed'))}
      >
        {state === 'busy' ? texts.takingOff : texts.takeOff}
      </Button>
      <NeedsScript>{common.needsScript}</NeedsScript>
    </Card>
  );
}

interface EndedProps {
  readonly title: string;
  readonly text: string;
}

function Ended(props: EndedProps) {
  const texts = accountLinksWords(useLanguage()).notMine;
  return (
    <ResultCard {...props}>
      <LinkButton variant="outline" to="/" replace>
        {texts.toStart}
      </LinkButton>
    </ResultCard>
  );
}
