import type { ServiceLog } from '#server/log/log.ts';
import type { AuthService } from '../auth-service.ts';
import {
  type CountedSms,
  closeRange,
  noteSentSms,
  openRange,
  type RangeRow,
  rangeOf,
  readRange,
} from './sms-range-queries.ts';

type Service = Pick<AuthService, 'alone' | 'limits' | 'now'> & {
  readonly config: Pick<AuthService['config'], 'codeLifeSeconds' | 'production'>;
  readonly log: Pick<ServiceLog, 'warn'>;
};

/** The longest time until an open range allows another trial code, in seconds. */
export const NEXT_TRIAL_SECONDS = 1_200;

/**
 * Returns whether an SMS may be sent to a number (E.164), judged by how many earlier codes to its range were entered.
 * While the range is open, SMS to it are held back, except a few trial codes an hour, at most one a day for each client
 * address. Only the server that opens or closes a range logs it.
 */
export async function passesBreaker(
  service: Service,
  { number, client }: { readonly number: string; readonly client: string },
): Promise<boolean> {
  // A development server sends nothing.
  if (!service.config.production) return true;
  const range = rangeOf(number);
  const row = await readRange(service.alone, range);
  if (row === undefined) return true;
  const comesBack = isSmsComingBack(codesOf(row), {
    now: service.now(),
    lifeMs: service.config.codeLifeSeconds * 1_000,
    isOpen: row.open_since !== null,
  });
  if (row.open_since === null) {
    if (comesBack) return true;
    if (await openRange(service.alone, range, new Date(service.now()))) {
      service.log.warn({ range }, 'SMS to a range of numbers are held back: too few of its last codes came back.');
    }
  } else if (comesBack) {
    if (await closeRange(service.alone, range)) {
      service.log.warn({ range }, 'SMS to a range of numbers go out again: its trial codes came back.');
    }
    return true;
  }
  return takeTrial(service, range, client);
}

/** Counts a code after it was sent. Never throws: a failure is logged, because the SMS has been sent. */
export async function noteSentCode(
  { alone, config, log }: Pick<Service, 'alone' | 'config' | 'log'>,
  sms: CountedSms,
): Promise<void> {
  if (!config.production) return;
  try {
    await noteSentSms(alone, sms);
  } catch (error) {
    log.warn({ err: error }, 'An SMS was sent and could not be counted.');
  }
}

/** The client's own limit comes first, so that a refused client uses up nothing of the range's limit. */
async function takeTrial({ limits }: Service, range: string, client: string): Promise<boolean> {
  if (!(await limits.take('sms_trials_per_address', client)).allowed) return false;
  return (await limits.take('sms_trials_per_number_range', range)).allowed;
}

function codesOf({ sent_at: sentAt, came_back: cameBack }: RangeRow): SentSms[] {
  return sentAt.map((at, place) => ({ sentAt: at.getTime(), cameBack: cameBack[place] ?? false }));
}

/** A code sent to a number of a range. */
export interface SentSms {
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly cameBack: boolean;
}

const JUDGED_CODES = 50;
const LEAST_THAT_COME_BACK = 10;

/** For an open range, trial codes are judged. */
const JUDGED_TRIALS = 10;
const TRIALS_THAT_CLOSE = 5;

/**
 * Returns whether enough codes of a range are entered; `codes` is ordered oldest first. A code counts once it was
 * entered or has expired, because an unexpired one may still be entered. A range that is not open opens if fewer than
 * 10 of its last 50 codes were entered. An open range closes once 5 of its last 10 trial codes were entered.
 */
export function isSmsComingBack(
  codes: readonly SentSms[],
  { now, lifeMs, isOpen }: { readonly now: number; readonly lifeMs: number; readonly isOpen: boolean },
): boolean {
  const settled = codes.filter(({ sentAt, cameBack }) => cameBack || sentAt + lifeMs <= now);
  const judged = settled.slice(isOpen ? -JUDGED_TRIALS : -JUDGED_CODES);
  const cameBack = judged.filter((code) => code.cameBack).length;
  return isOpen ? cameBack >= TRIALS_THAT_CLOSE : judged.length < JUDGED_CODES || cameBack >= LEAST_THAT_COME_BACK;
}
