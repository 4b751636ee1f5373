import { useRetry } from './use-retry.ts';

/** Shows nothing; retries while it is there. */
export function Retry({ retry }: { readonly retry: () => Promise<void> }) {
  useRetry(retry);
  return null;
}
