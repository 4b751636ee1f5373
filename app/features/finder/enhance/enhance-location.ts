import type { Enhancement } from './enhancement.ts';
import { loadExtras } from './load-extras.ts';

/** Offers to add the phone's location to a message, where the browser can. */
export function enhanceLocation({ root, texts, signal, toast }: Enhancement): void {
  const box = root.querySelector<HTMLElement>('[data-location]');
  if (!box || !isSecureContext || !navigator.geolocation) return;
  box.hidden = false;
  const locate = () =>
    void loadExtras()
      .then(({ addLocation }) => addLocation({ box, signal, toast }))
      .catch(() => toast(texts.locationFailed));
  box.querySelector('[data-locate]')?.addEventListener('click', locate, { signal });
}
