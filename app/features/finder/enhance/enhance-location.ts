import type { Enhancement } from './enhancement.ts';

const MOST_WAIT_MS = 20_000;
/** An earlier position that is at most this old serves as well. */
const MOST_AGE_MS = 60_000;

/**
 * Offers to add the phone's location to a message, and shows exactly what will be sent: two decimals, about a kilometer,
 * unless the finder chooses five. Nothing else leaves the browser. The form's reset removes it.
 */
export function enhanceLocation({ root, texts, signal, toast }: Enhancement): void {
  const box = root.querySelector<HTMLElement>('[data-location]');
  const find = <Found extends HTMLElement>(selector: string) => box?.querySelector<Found>(selector);
  const add = find('[data-locate]');
  const located = find('[data-located]');
  const coordinates = find('[data-coordinates]');
  const [exact, latitude, longitude] = box?.querySelectorAll('input') ?? [];
  if (!box || !add || !located || !coordinates || !exact || !latitude || !longitude) return;
  if (!isSecureContext || !navigator.geolocation) return;
  box.hidden = false;

  let at: GeolocationCoordinates | null = null;
  const show = () => {
    const digits = exact.checked ? 5 : 2;
    latitude.value = at?.latitude.toFixed(digits) ?? '';
    longitude.value = at?.longitude.toFixed(digits) ?? '';
    coordinates.textContent = `${latitude.value}, ${longitude.value}`;
    add.hidden = at !== null;
    located.hidden = at === null;
  };
  const leaveOut = () => {
    at = null;
    show();
  };
  const locate = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        at = coords;
        show();
      },
      () => toast(texts.locationFailed),
      { timeout: MOST_WAIT_MS, maximumAge: MOST_AGE_MS, enableHighAccuracy: true },
    );
  add.addEventListener('click', locate, { signal });
  exact.addEventListener('change', show, { signal });
  find('[data-leave-out]')?.addEventListener('click', leaveOut, { signal });
  exact.form?.addEventListener('reset', leaveOut, { signal });
}
