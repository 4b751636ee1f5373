import { useState } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { NeedsScript } from '#app/ui/needs-script.tsx';
import { useFragment } from './recovery-link.ts';
import { Told } from './told.tsx';

/** Takes an address off the account that named it, for whoever has the link from the e-mail, signed in or not. */
export function NotMineScreen() {
  const { common, notMine } = useMessages();
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

  if (state === 'done') return <Ended title={notMine.doneTitle} text={notMine.doneText} />;
  if (state === 'dead' || (hydrated && token === null)) {
    return <Ended title={notMine.deadTitle} text={notMine.deadText} />;
  }
  return (
    <Card className="flex flex-col gap-5">
      <h1 className="font-bold text-2xl">{notMine.title}</h1>
      <p className="text-ink-soft">{notMine.text}</p>
      {state === 'failed' && <Alert tone="danger">{notMine.failed}</Alert>}
      <Button
        size="large"
        wide
        disabled={!hydrated}
        busy={state === 'busy'}
        onClick={() => void takeOff().catch(() => setState('failed'))}
      >
        {state === 'busy' ? notMine.takingOff : notMine.takeOff}
      </Button>
      <NeedsScript>{common.needsScript}</NeedsScript>
    </Card>
  );
}

interface EndedProps {
  readonly title: string;
  readonly text: string;
}

function Ended(told: EndedProps) {
  const { notMine } = useMessages();
  return (
    <Told {...told}>
      <LinkButton variant="outline" to="/" replace>
        {notMine.toStart}
      </LinkButton>
    </Told>
  );
}
