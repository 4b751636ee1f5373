import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { AccountContactMethods } from '#app/data/contact-methods.ts';
import type { Item } from '#app/data/items.ts';
import { stepIn, stepPath, type VisitStep, visitSteps } from '#app/item/first-visit-steps.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { skipVisit } from '../skipped-visit.ts';
import { NewsStep } from './news-step.tsx';
import { ReachStep } from './reach-step.tsx';
import { useVisitTexts } from './use-visit-texts.ts';
import { WhatStep } from './what-step.tsx';

interface FirstVisitProps {
  readonly item: Item;
  /** Shows and changes its photo. */
  readonly photo: ReactNode;
  readonly contactMethods: AccountContactMethods;
  /** The account's address, as long as it is not confirmed. */
  readonly unconfirmedEmail: string | null;
  /** The last step is over: the item's full page is shown. */
  readonly onDone: () => void;
}

/** The first visit of a new owner, one question at a time. Each step has a URL, so that the browser's Back works. */
export function FirstVisit({ item, photo, contactMethods, unconfirmedEmail, onDone }: FirstVisitProps) {
  const visit = useVisitTexts();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  // Fixed, so that no step is added or taken away under way.
  const [firstUnconfirmed] = useState(unconfirmedEmail);
  const [steps] = useState(() => visitSteps(unconfirmedEmail));
  const [opened] = useState(search);

  const named = stepIn(search) ?? 'what';
  const place = Math.max(0, steps.indexOf(named));
  const current: VisitStep = steps[place] ?? 'what';

  const goBack = () => {
    // Another step of this visit is before this one in the browser's history.
    if (isFromStep(state)) void navigate(-1);
    else void navigate(stepPath(item.qrId, steps[place - 1] ?? 'what'), { replace: true });
  };
  const goOn = () => {
    if (current === 'what' && isUnnamed(item.itemName)) skipVisit(item.id);
    const next = steps[place + 1];
    if (next !== undefined) {
      void navigate(stepPath(item.qrId, next), { state: FROM_STEP });
      return;
    }
    if (!item.needsSticker) showToast('success', visit.ready(isolateName(item.itemName)), { about: 'first-visit' });
    void navigate(stepPath(item.qrId, 'what'), { replace: true });
    onDone();
  };
  const frame = {
    step: place + 1,
    steps: steps.length,
    isReached: search !== opened,
    onBack: place === 0 ? null : goBack,
    onNext: goOn,
  };

  if (current === 'reach')
    return <ReachStep {...frame} itemId={item.id} ownerId={item.userId} contactMethods={contactMethods} />;
  if (current === 'news') return <NewsStep {...frame} userId={item.userId} unconfirmedEmail={firstUnconfirmed} />;
  return <WhatStep {...frame} item={item} photo={photo} />;
}

const FROM_STEP = { isFromStep: true };

function isFromStep(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isFromStep' in state;
}
