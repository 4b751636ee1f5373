import { Bell, CircleCheck, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { readPushSupport } from '#app/push/push-support.ts';
import { Button } from '#app/ui/button.tsx';
import { useSendLink } from '#app/verification/use-send-link.ts';
import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import { usePushOffer } from '../use-push-offer.ts';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { useIsConfirmed } from './use-is-confirmed.ts';
import { useVisitTexts } from './use-visit-texts.ts';

interface NewsStepProps extends StepProps {
  readonly userId: string;
  /** The account's address, where it was not confirmed when the visit began. */
  readonly unconfirmedEmail: string | null;
}

/** How the owner hears of a finder: the email to confirm, and notifications to turn on. */
export function NewsStep({ userId, unconfirmedEmail, onNext, ...frame }: NewsStepProps) {
  const visit = useVisitTexts();
  return (
    <StepFrame
      {...frame}
      title={visit.news.title}
      lead={visit.news.lead}
      action={visit.done}
      onSubmit={onNext}
      onSkip={null}
    >
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface px-4 sm:px-5">
        {unconfirmedEmail !== null && <EmailRow email={unconfirmedEmail} />}
        <PushRow userId={userId} />
      </ul>
    </StepFrame>
  );
}

function EmailRow({ email }: { readonly email: string }) {
  const { news } = useVisitTexts();
  const { send, busy, label } = useSendLink('signup', email);
  const isConfirmed = useIsConfirmed();
  if (isConfirmed) return <Row icon={<Mail />} title={news.emailConfirmed} isDone />;
  return (
    <Row icon={<Mail />} title={news.email} text={news.emailText({ email, notices: UNPROVED_NOTICES })}>
      <Button variant="quiet" className="-ms-3 px-3! text-sm!" busy={busy} onClick={send}>
        {label}
      </Button>
    </Row>
  );
}

function PushRow({ userId }: { readonly userId: string }) {
  const { news } = useVisitTexts();
  const support = readPushSupport(usePublicConfig());
  const { isOffered, isOn, busy, turnOn } = usePushOffer(userId);
  if (isOn) return <Row icon={<Bell />} title={news.pushIsOn} isDone />;
  if (support === 'install-first') return <Row icon={<Bell />} title={news.push} text={news.installFirst} />;
  if (!isOffered) return null;
  return (
    <Row icon={<Bell />} title={news.push} text={news.pushText}>
      <Button variant="outline" className="mt-2" busy={busy} onClick={() => void turnOn()}>
        {news.pushTurnOn}
      </Button>
    </Row>
  );
}

interface RowProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text?: string;
  readonly isDone?: boolean;
  readonly children?: ReactNode;
}

function Row({ icon, title, text, isDone = false, children }: RowProps) {
  return (
    <li className="flex items-start gap-4 py-4 sm:py-5">
      <span className="mt-0.5 shrink-0 text-primary [&_svg]:size-6" aria-hidden="true">
        {isDone ? <CircleCheck /> : icon}
      </span>
      <div role={isDone ? 'status' : undefined} className="flex min-w-0 flex-1 flex-col items-start">
        <h2 className="font-semibold">{title}</h2>
        {text !== undefined && <p className="wrap-anywhere text-ink-soft text-sm">{text}</p>}
        {children}
      </div>
    </li>
  );
}
