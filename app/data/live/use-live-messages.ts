import { useEffect, useEffectEvent } from 'react';
import { useRouteLoaderData } from 'react-router';
import { WAITS_MS, waitAfter } from '#app/resilience/retry-policy.ts';
import { connectionOr } from '#app/resilience/retry-until-online.ts';
import { whenIdle } from '#app/ui/when-idle.ts';
import type { Message } from '../messages.ts';

interface LiveMessages {
  readonly ownerId: string;
  /** A message arrived while this screen was open. */
  readonly onMessage: (message: Message) => void;
  /** A message has changed: a photo followed it, or it was read on some screen. */
  readonly onChange: (message: Message) => void;
  /** A finder opened a contact method of this item, given by its id. */
  readonly onOpening?: (itemId: string) => void;
  /** Something arrived, or may have arrived, while this screen was not subscribed. */
  readonly onMissed: () => void;
  /** When the screen's data was requested, as `performance.now()`. */
  readonly loadedAt: number;
}

/**
 * Subscribes to new and changed messages to this owner and to contact methods that finders open, while the component is
 * mounted.
 */
export function useLiveMessages({ ownerId, onMessage, onChange, onOpening, onMissed, loadedAt }: LiveMessages): void {
  const message = useEffectEvent(onMessage);
  const change = useEffectEvent(onChange);
  const opening = useEffectEvent((itemId: string) => onOpening?.(itemId));
  const missed = useEffectEvent(onMissed);
  const hasOpenings = onOpening !== undefined;
  const serverTime = useServerTime();
  const since = useEffectEvent(() => serverTime(loadedAt));

  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    const listen = async () => {
      const { listenToMessages } = await import('./listen-to-messages.ts');
      if (stopped) return;
      stop = listenToMessages({
        ownerId,
        onMessage: (row) => message(row),
        onChange: (row) => change(row),
        onOpening: hasOpenings ? (itemId) => opening(itemId) : undefined,
        onMissed: () => missed(),
        since: () => since(),
      });
    };
    // Its code comes after all that the screen shows. A connection may break before.
    const listenOnceLoaded = async (attempted: number): Promise<void> => {
      if (stopped) return;
      try {
        await listen();
      } catch {
        await connectionOr(waitAfter(attempted, WAITS_MS.background));
        await listenOnceLoaded(attempted + 1);
      }
    };
    const stopIdle = whenIdle(() => void listenOnceLoaded(0));
    return () => {
      stopped = true;
      stopIdle();
      stop();
    };
  }, [ownerId, hasOpenings]);
}

/** Maximum difference between the clocks of the server and the database, in milliseconds. */
const CLOCKS_APART_MS = 10_000;

/**
 * Returns a function that converts a `performance.now()` moment to server time (ISO 8601). The result is never later
 * than the real time, even if this machine's clock is wrong.
 */
function useServerTime(): (moment: number) => string {
  const root = useRouteLoaderData<{ readonly sentAt: number }>('root');
  if (root === undefined) throw new Error('The root has not loaded the time.');
  return (moment) => {
    const [navigation] = performance.getEntriesByType('navigation');
    // The server wrote the document before its first byte arrived here.
    const sentBefore = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
    return new Date(root.sentAt + moment - sentBefore - CLOCKS_APART_MS).toISOString();
  };
}
