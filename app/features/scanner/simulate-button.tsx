import { useEffect, useEffectEvent, useState } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { generateTagCode } from '#domain/tag-code.ts';

/** Milliseconds that a simulated scan takes (specification, section 9). */
const SIMULATED_SCAN_MS = 1_500;

/** Development aid where there is no camera: after a moment it reads a code that nobody has. */
export function SimulateButton({ onText }: { readonly onText: (text: string) => void }) {
  const { scanner } = useMessages();
  const [scanning, setScanning] = useState(false);
  const found = useEffectEvent(() => onText(generateTagCode((bytes) => crypto.getRandomValues(bytes))));

  useEffect(() => {
    if (!scanning) return;
    const timer = setTimeout(() => found(), SIMULATED_SCAN_MS);
    return () => clearTimeout(timer);
  }, [scanning]);

  return (
    <div className="flex flex-col gap-1.5">
      <Button variant="outline" busy={scanning} onClick={() => setScanning(true)}>
        {scanning ? scanner.scanning : scanner.simulate}
      </Button>
      <p className="text-center text-ink-soft text-xs">{scanner.simulateHint}</p>
    </div>
  );
}
