/** An email. A sender that remembers keys sends each `key` once. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly key?: string;
  /** Removes the recipient. Mail clients offer it as a button and post to it (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

/** An SMS; `to` is E.164 with the plus. */
export interface Sms {
  readonly to: string;
  readonly text: string;
  readonly key?: string;
}

/** Sends messages to people. Each promise resolves once the mail server or SMS provider has accepted the message. */
export interface Delivery {
  sendEmail(email: Email): Promise<void>;
  sendSms(sms: Sms): Promise<void>;
  /** Without SMS, one-time codes are sent by email and phone numbers stay unverified. */
  readonly hasSms: boolean;
  /** Resolves once no message is in progress; a stopping server waits for it. */
  settled?(): Promise<void>;
}
