import { useDeferredValue, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useRevalidator } from 'react-router';
import { onDelivered, onUnsentReplies, type UnsentReply, unsentReplies } from '#app/lib/reply-outbox.ts';

const NONE: readonly UnsentReply[] = [];

/** The owner's answers that are not through yet. The screen is loaded anew with each that is. */
export function useReplies(): readonly UnsentReply[] {
  const { revalidate } = useRevalidator();
  const delivered = useEffectEvent(() => revalidate());
  useEffect(() => onDelivered(() => delivered()), []);
  const replies = useSyncExternalStore(onUnsentReplies, unsentReplies, () => NONE);
  // One that is through leaves only once the loaded screen is shown, which the router does in a transition.
  return useDeferredValue(replies);
}
