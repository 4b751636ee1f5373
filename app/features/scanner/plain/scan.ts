import { hasStoredSession } from '#app/browser/lead-home.ts';
import { writeSessionStorage } from '#app/client/browser-storage.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { judgeScannedValue } from '#domain/tag-code/judge-scanned-value.ts';
import type { StickerCode } from '#domain/tag-code/read-scanned-value.ts';
import { SCANNED_HASH } from '#domain/tag-code/scan-address.ts';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import { rememberDetected } from './detected-notice.ts';
import { codeOf, hasOwner } from './look-up.ts';
import { partOf, sayIn, showPart, showView } from './parts.ts';
import { runCamera } from './run-camera.ts';
import { runPictures } from './run-pictures.ts';
import { runTyping } from './run-typing.ts';

/** How long the phone vibrates after reading a code, in milliseconds. */
const BUZZ_MS = 60;
/** The duration of a simulated scan, in milliseconds (specification, section 9). */
const SIMULATED_SCAN_MS = 1_500;

/** Scans until the signal is aborted, and leads to where the code does (specification, section 2). */
export function scan(dialog: HTMLDialogElement, signal: AbortSignal): void {
  const { storagePrefix, stickerHosts } = readPublicConfig();
  let isTyping = false;
  /** The sticker that a button looks up, and whether it was read. */
  let kept: { sticker: StickerCode; isRead: boolean } | null = null;

  const accept = async (sticker: StickerCode, isRead: boolean) => {
    kept = { sticker, isRead };
    camera.stop();
    sayIn(dialog, 'checked', 'checking');
    showView(dialog, 'checking');
    try {
      const code = await codeOf(sticker);
      if (signal.aborted) return;
      const isSignedIn = hasStoredSession(storagePrefix);
      if (code === null) {
        // Only its owner finds a void code, on the page that knows them.
        if (isSignedIn && sticker.kind === 'typed-code') return location.replace(`/f/${sticker.typedCode}`);
        return showView(dialog, 'unknown');
      }
      writeSessionStorage(`${storagePrefix}_qr_id`, code);
      const isOwned = await hasOwner(code);
      if (signal.aborted) return;
      if (!isOwned) {
        rememberDetected();
        location.replace(`/?qr_id=${encodeURIComponent(code)}`);
        return;
      }
      // The page of a signed-in user says itself whose it is.
      if (!isSignedIn) sayIn(dialog, 'checked', 'found');
      location.replace(`/item/${encodeURIComponent(code)}${isRead && isSignedIn ? SCANNED_HASH : ''}`);
    } catch {
      if (!signal.aborted) showView(dialog, 'failed');
    }
  };
  const read = (text: string) => {
    const judged = judgeScannedValue(text, [location.host, ...stickerHosts]);
    showPart(dialog, 'not-ours', judged.kind === 'unreadable');
    if (judged.kind === 'unreadable') return;
    if (judged.kind === 'ours') {
      // Missing in Safari.
      navigator.vibrate?.(BUZZ_MS);
      return void accept(judged.sticker, true);
    }
    camera.stop();
    kept = judged.sticker === null ? null : { sticker: judged.sticker, isRead: false };
    partOf(dialog, 'host').textContent = judged.host;
    showPart(dialog, 'look-up-here', kept !== null);
    showView(dialog, 'foreign');
  };

  const camera = runCamera(dialog, { onText: read, signal });
  const startTyping = runTyping(dialog, { onSticker: (sticker) => void accept(sticker, false), signal });
  runPictures(dialog, { onText: read, signal });
  const showInput = () => {
    showPart(dialog, 'not-ours', false);
    if (!isTyping) return camera.start();
    camera.stop();
    showView(dialog, 'typing');
  };
  const changeInput = (toTyping: boolean) => {
    isTyping = toTyping;
    showInput();
    if (toTyping) startTyping();
  };
  const onClick = (name: string, act: () => void) => {
    for (const button of dialog.querySelectorAll(`[data-part="${name}"]`)) {
      button.addEventListener('click', act, { signal });
    }
  };
  onClick('type', () => changeInput(true));
  onClick('use-camera', () => changeInput(false));
  onClick('scan-again', showInput);
  for (const name of ['look-up', 'look-up-here']) {
    onClick(name, () => {
      if (kept !== null) void accept(kept.sticker, kept.isRead);
    });
  }
  onClick('simulate', () => simulate(dialog, signal, read));
  showInput();
}

/** A development aid without a camera: after a moment it reads a free code. */
function simulate(dialog: HTMLElement, signal: AbortSignal, read: (text: string) => void): void {
  const button = partOf(dialog, 'simulate');
  const name = button.textContent;
  button.toggleAttribute('disabled', true);
  sayIn(dialog, 'simulate', 'busy');
  setTimeout(() => {
    button.toggleAttribute('disabled', false);
    button.textContent = name;
    if (!signal.aborted) read(generateTagCode((bytes) => crypto.getRandomValues(bytes)));
  }, SIMULATED_SCAN_MS);
}
