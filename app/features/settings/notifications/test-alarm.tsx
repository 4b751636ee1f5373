import { useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import type { NotificationsWords } from '#domain/words/compiled/types.ts';
import { loadTestMessages, sendTestMessage, type TestedWay, type TestMessage } from './test-messages.ts';
import { waitForResult } from './wait-for-result.ts';

interface TestAlarmProps {
  readonly way: TestedWay;
  /** The tests so far. */
  readonly first: readonly TestMessage[];
  readonly texts: NotificationsWords;
}

/** Sends a test by email or SMS, and says what became of the last one. */
export function TestAlarm({ way, first, texts: { test: texts, notices, devices } }: TestAlarmProps) {
  const [last, setLast] = useState(() => first.find((test) => test.way === way));
  const [busy, setBusy] = useState(false);
  const read = async () => (await loadTestMessages(await browserClient())).find((test) => test.way === way);

  const send = async () => {
    setBusy(true);
    try {
      await sendTestMessage(await browserClient(), way);
      setLast({ way, askedAt: new Date().toISOString(), outcome: null, codes: null });
      const result = await waitForResult(async () => {
        const test = await read();
        return test?.outcome == null ? undefined : test;
      });
      if (result !== undefined) setLast(result);
    } catch {
      showToast('failure', devices.testFailed, { about: 'notices' });
    }
    setBusy(false);
  };

  return (
    <div className="pb-2">
      <Button
        variant="quiet"
        className="-ms-3 px-3! text-sm!"
        aria-label={`${texts.ask}: ${notices[way]}`}
        busy={busy}
        onClick={() => void send()}
      >
        {texts.ask}
      </Button>
      <p role="status" className="text-sm empty:hidden">
        {last !== undefined && resultOf(last, texts)}
        {last?.outcome === 'sent' && way === 'email' && <span className="block"> {texts.spam}</span>}
      </p>
    </div>
  );
}

function resultOf({ outcome, codes, askedAt }: TestMessage, texts: NotificationsWords['test']): string {
  const details = [codes, formatMoment(askedAt)].filter((detail) => detail !== null).join(' · ');
  switch (outcome) {
    case null:
      return texts.waiting;
    case 'sent':
      return texts.sent(details);
    case 'refused':
      return texts.refused(details);
    case 'failed':
      return texts.failed(details);
    case 'too_many':
      return texts.tooMany;
  }
}
