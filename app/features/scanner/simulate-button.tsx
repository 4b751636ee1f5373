import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';

/** The duration of a simulated scan, in milliseconds (specification, section 9). */
const SIMULATED_SCAN_MS = 1_500;

/** A development aid without a camera: after a moment it reads a free code. */
export function SimulateButton({ onText }: { readonly onText: (text: string) => void }) {
  const { scanner } = useTexts();
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
      <p className="text-center text-on-night-soft text-xs">{scanner.simulateHint}</p>
    </div>
  );
}
