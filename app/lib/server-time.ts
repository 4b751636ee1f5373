import { useRouteLoaderData } from 'react-router';

/** Milliseconds by which the clocks of the server and of the database may differ. */
const CLOCKS_APART_MS = 10_000;

/**
 * Gives the time at the service, as ISO 8601, for a moment of this page as `performance.now()` counts it: never later
 * than it was, whatever the clock of this machine says.
 */
export function useServerTime(): (moment: number) => string {
  const root = useRouteLoaderData<{ readonly sentAt: number }>('root');
  if (root === undefined) throw new Error('The root has not loaded the time.');
  return (moment) => {
    const [navigation] = performance.getEntriesByType('navigation');
    // The document was written before its first byte was here.
    const sentBefore = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
    return new Date(root.sentAt + moment - sentBefore - CLOCKS_APART_MS).toISOString();
  };
}
