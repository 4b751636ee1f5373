import type { Delivery, Email, Sms } from '#server/delivery/delivery.ts';

/** Keeps what would be sent, and can be told to fail. */
export interface CapturedDelivery extends Delivery {
  readonly emails: Email[];
  readonly texts: Sms[];
  /** Set, the next server refuses everything. */
  down: boolean;
  /** Set, nothing is sent before it resolves. */
  held: Promise<void> | undefined;
  /** The newest code that went to an address or number, from the words of the message itself. */
  codeFor(recipient: string): string;
}

export function captureDelivery({ hasSms = true }: { readonly hasSms?: boolean } = {}): CapturedDelivery {
  const emails: Email[] = [];
  const texts: Sms[] = [];
  const delivery: CapturedDelivery = {
    hasSms,
    emails,
    texts,
    down: false,
    held: undefined,
    async sendEmail(email) {
      await delivery.held;
      if (delivery.down) throw new Error('451 try again later');
      emails.push(email);
    },
    async sendSms(sms) {
      await delivery.held;
      if (delivery.down) throw new Error('the provider does not answer');
      texts.push(sms);
    },
    codeFor(recipient) {
      const sent = [...texts, ...emails].filter(({ to }) => to === recipient).at(-1);
      const code = sent === undefined ? undefined : /\b\d{6}\b/.exec(sent.text)?.[0];
      if (code === undefined) throw new Error(`No code went to ${recipient}.`);
      return code;
    },
  };
  return delivery;
}
