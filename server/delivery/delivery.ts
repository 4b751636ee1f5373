/** One e-mail. `key` names the delivery: a sender that remembers sends one key once. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly key?: string;
}

/** One SMS; `to` is E.164 with the plus. */
export interface Sms {
  readonly to: string;
  readonly text: string;
  readonly key?: string;
}

/** What leaves the service for a person. Each promise resolves once the next server has accepted it. */
export interface Delivery {
  sendEmail(email: Email): Promise<void>;
  sendSms(sms: Sms): Promise<void>;
  /** Without SMS, one-time codes go by e-mail and phones stay unverified. */
  readonly hasSms: boolean;
  /** Resolves once nothing that was handed over is still on its way; a server that stops waits for it. */
  settled?(): Promise<void>;
}
