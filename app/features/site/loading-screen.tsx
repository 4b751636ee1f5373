import { useTexts } from '#app/i18n/use-texts.ts';
import { Waiting } from '#app/ui/waiting.tsx';

/** The `HydrateFallback` of a screen whose data only the browser can load. */
export function LoadingScreen() {
  const { common } = useTexts();
  return <Waiting text={common.loading} withoutScript={common.needsScript} />;
}
