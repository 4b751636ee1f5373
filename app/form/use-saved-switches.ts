import { useState } from 'react';
import { retryUntilOnline } from '#app/resilience/retry-until-online.ts';

interface SavedSwitchesOptions<Name extends string> {
  /** Saves one switch. It is repeated after `unreachable`. */
  save(name: Name, isOn: boolean): Promise<'saved' | 'refused' | 'unreachable'>;
  /** Reads what is stored. Called after a switch was saved. */
  reload(): Promise<void>;
  onRefused(): void;
}

/**
 * Switches that are saved as soon as they are pressed. `wanted` holds those that differ from what was last read: they
 * are shown at once, and reverted where the service refused them. `isWaiting` says that the service is unreachable.
 *
 * A switch that is pressed again while it is being saved is saved again afterwards. Two requests at once could arrive
 * in the wrong order.
 */
export function useSavedSwitches<Name extends string>({ save, reload, onRefused }: SavedSwitchesOptions<Name>) {
  const [wanted, setWanted] = useState<Partial<Record<Name, boolean>>>({});
  const [isWaiting, setIsWaiting] = useState(false);
  const [saving] = useState(() => new Map<Name, boolean>());

  const saveLast = async (name: Name): Promise<boolean> => {
    const isOn = saving.get(name);
    if (isOn === undefined) return true;
    const outcome = await retryUntilOnline(
      () => save(name, isOn),
      () => setIsWaiting(true),
    );
    if (outcome === 'refused') return false;
    return saving.get(name) === isOn || (await saveLast(name));
  };

  const change = async (name: Name, isOn: boolean): Promise<void> => {
    setWanted((others) => ({ ...others, [name]: isOn }));
    const isSaving = saving.has(name);
    saving.set(name, isOn);
    if (isSaving) return;

    const isSaved = await saveLast(name);
    saving.delete(name);
    if (saving.size === 0) setIsWaiting(false);
    if (isSaved) await reload();
    else onRefused();
    if (saving.has(name)) return;
    setWanted((others) => {
      const rest = { ...others };
      delete rest[name];
      return rest;
    });
  };

  return { wanted, isWaiting, change };
}
