import type { Delivery, Email, Sms } from '#server/delivery/delivery.ts';

const ARRIVES_WITHIN_MS = 30_000;

/** Catches every email and SMS of a server under test. */
export interface DeliveryCatcher extends Delivery {
  readonly emails: readonly Email[];
  readonly texts: readonly Sms[];
  /** While true, everything sent is refused. */
  down: boolean;
  /** Set, nothing is sent before it resolves. */
  held: Promise<void> | undefined;
  /** Waits for and returns the oldest email to the address that has not been taken. */
  takeEmailTo(address: string): Promise<Email>;
  /** Waits for and returns the oldest SMS to the number (E.164 with the plus) that has not been taken. */
  takeSmsTo(number: string): Promise<Sms>;
  /** The newest one-time code that went to an address or number. Throws where none did. */
  codeFor(recipient: string): string;
}

/** Like a real sender it accepts one delivery key once. */
export function catchDelivery({ hasSms = true }: { readonly hasSms?: boolean } = {}): DeliveryCatcher {
  const emails = new Tray<Email>('email');
  const texts = new Tray<Sms>('SMS');
  const catcher: DeliveryCatcher = {
    hasSms,
    down: false,
    held: undefined,
    async sendEmail(email) {
      await catcher.held;
      if (catcher.down) throw new Error('451 try again later');
      emails.put(email);
    },
    async sendSms(sms) {
      await catcher.held;
      if (catcher.down) throw new Error('the provider does not answer');
      texts.put(sms);
    },
    emails: emails.all,
    texts: texts.all,
    takeEmailTo: (address) => emails.take(address),
    takeSmsTo: (number) => texts.take(number),
    codeFor(recipient) {
      const sent = withCodes<Email | Sms>([...texts.all, ...emails.all])
        .filter(({ to }) => to === recipient)
        .at(-1);
      if (sent === undefined) throw new Error(`No code went to ${recipient}.`);
      return codeIn(sent);
    },
  };
  return catcher;
}

/** Returns the messages with a code or its link. Others come from jobs, at any time. */
export function withCodes<Kind extends Email | Sms>(sent: readonly Kind[]): Kind[] {
  return sent.filter(({ key }) => /^(code|challenge):/.test(key ?? ''));
}

/** Returns the six digits of a one-time code. Digits within an address do not count. */
export function codeIn({ text }: { readonly text: string }): string {
  const code = /(?<![\w-])\d{6}(?![\w@-])/.exec(text)?.[0];
  if (code === undefined) throw new Error(`There is no code in: ${text}`);
  return code;
}

interface Delivered {
  readonly to: string;
  readonly key?: string;
}

class Tray<Kind extends Delivered> {
  readonly all: Kind[] = [];
  #untaken: Kind[] = [];
  #waiting: { readonly to: string; readonly hand: (delivered: Kind) => void }[] = [];
  #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  put(delivered: Kind): void {
    if (delivered.key !== undefined && this.all.some(({ key }) => key === delivered.key)) return;
    this.all.push(delivered);
    const first = this.#waiting.findIndex(({ to }) => to === delivered.to);
    if (first === -1) this.#untaken.push(delivered);
    else this.#waiting.splice(first, 1)[0]?.hand(delivered);
  }

  take(to: string): Promise<Kind> {
    const first = this.#untaken.findIndex((delivered) => delivered.to === to);
    const [found] = first === -1 ? [] : this.#untaken.splice(first, 1);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiter) => waiter !== mine);
        reject(new Error(`No ${this.#kind} to ${to} came. There were: ${this.all.map((one) => one.to).join(', ')}`));
      }, ARRIVES_WITHIN_MS);
      const mine = {
        to,
        hand: (delivered: Kind) => {
          clearTimeout(late);
          resolve(delivered);
        },
      };
      this.#waiting.push(mine);
    });
  }
}
