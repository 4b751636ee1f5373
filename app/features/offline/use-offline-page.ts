import { useEffect } from 'react';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { whenSettled } from '#app/ui/when-settled.ts';

/** Has the browser hold a page of ours ready for when another cannot be fetched, such as at a reload without a connection. */
export function useOfflinePage(): void {
  const { offlinePage } = usePublicConfig();
  useEffect(() => {
    // Browsers offer it over HTTPS and on the machine itself alone.
    if (!offlinePage || !('serviceWorker' in navigator)) return;
    return whenSettled(() => {
      if (!navigator.onLine) return;
      // Without it the browser shows its own page; the next screen that is loaded tries again.
      navigator.serviceWorker.register('/service-worker.js').catch(() => {});
    });
  }, [offlinePage]);
}
