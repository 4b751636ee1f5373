import { createHmac } from 'node:crypto';
import type { MessageDetails } from '#domain/contact/message-details.ts';
import { timeOrderedId } from '#domain/ids.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Secrets } from '#server/start/secrets.ts';

export interface Tap {
  readonly code: string;
  readonly details: MessageDetails;
  /** What the request shows of its browser: its address, and headers that do not change. */
  readonly browser: readonly (string | undefined)[];
  /** The finder's keys that the browser keeps for the item. */
  readonly kept: readonly string[];
}

/** What makes a message the same message, and its conversation the same conversation. */
export interface TapIds {
  readonly messageId: string;
  readonly finderKey: string;
}

const TURN_MS = 10_000;

/**
 * A page without a script can't tell the second press of a tap from the first, and its document is the same for all. So the
 * ids of a tap are derived from what it says, who sends it, and the time: presses within 10 to 20 seconds are one message,
 * and each gets the key, also where the response to the first was lost. Browsers behind one address that look the same and
 * send the same tap then share a conversation.
 */
export function repeatedTaps({ secrets, now }: { secrets: Pick<Secrets, 'refreshTokenSecret'>; now: () => number }) {
  const key = deriveKey(secrets.refreshTokenSecret, 'repeated taps');
  const derive = (...parts: readonly unknown[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest();

  function idsIn(turn: number, { code, details, browser, kept }: Tap): TapIds {
    const about = [turn, code, details, browser];
    const finderKey = derive('key', ...about)
      .subarray(0, 24)
      .toString('base64url');
    // The browser may have kept it since the first press.
    const others = kept.filter((one) => one !== finderKey);
    return { messageId: timeOrderedId(turn * TURN_MS, derive('message', others, ...about)), finderKey };
  }

  /** Returns the ids of a tap, and those that it has if it was sent shortly before. */
  return (tap: Tap): { readonly now: TapIds; readonly before: TapIds } => {
    const turn = Math.floor(now() / TURN_MS);
    return { now: idsIn(turn, tap), before: idsIn(turn - 1, tap) };
  };
}
