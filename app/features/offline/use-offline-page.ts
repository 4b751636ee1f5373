import { useEffect } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { whenSettled } from '#app/ui/when-idle.ts';

/**
 * Installs the offline page, which the browser shows when another page cannot be fetched, such as at a reload without a
 * connection.
 */
export function useOfflinePage(): void {
  const { offlinePage } = usePublicConfig();
  useEffect(() => {
    // Browsers support it only over HTTPS and on localhost.
    if (!offlinePage || !('serviceWorker' in navigator)) return;
    return whenSettled(() => {
      if (!navigator.onLine) return;
      // Without it the browser shows its own page; the next screen retries.
      navigator.serviceWorker.register('/service-worker.js').catch(() => {});
    });
  }, [offlinePage]);
}
