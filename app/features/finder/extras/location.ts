import { texts } from './given-texts.ts';

const MOST_WAIT_MS = 20_000;
/** An earlier position that is at most this old serves as well. */
const MOST_AGE_MS = 60_000;

export interface LocationOptions {
  /** The part of the form that is about the location. */
  readonly box: HTMLElement;
  readonly signal: AbortSignal;
  readonly toast: (text: string) => void;
}

/**
 * Adds the phone's location to a message, and shows exactly what will be sent: two decimals, about a kilometer, unless the
 * finder chooses five. Nothing else leaves the browser. The form's reset removes it.
 */
export function addLocation({ box, signal, toast }: LocationOptions): void {
  const find = <Found extends HTMLElement>(selector: string) => box.querySelector<Found>(selector);
  const add = find('[data-locate]');
  const located = find('[data-located]');
  const coordinates = find('[data-coordinates]');
  const [exact, latitude, longitude] = box.querySelectorAll('input');
  if (!add || !located || !coordinates || !exact || !latitude || !longitude) return;

  const forget = new AbortController();
  signal.addEventListener('abort', () => forget.abort(), { once: true });
  const show = (at: GeolocationCoordinates | null) => {
    const digits = exact.checked ? 5 : 2;
    latitude.value = at?.latitude.toFixed(digits) ?? '';
    longitude.value = at?.longitude.toFixed(digits) ?? '';
    coordinates.textContent = `${latitude.value}, ${longitude.value}`;
    add.hidden = at !== null;
    located.hidden = at === null;
  };
  const leaveOut = () => {
    forget.abort();
    show(null);
  };
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const options = { signal: forget.signal };
      exact.addEventListener('change', () => show(coords), options);
      find('[data-leave-out]')?.addEventListener('click', leaveOut, options);
      exact.form?.addEventListener('reset', leaveOut, options);
      show(coords);
    },
    () => toast(texts.locationFailed),
    { timeout: MOST_WAIT_MS, maximumAge: MOST_AGE_MS, enableHighAccuracy: true },
  );
}
