import type { Guess } from './code-queries.ts';
import type { TokenType } from './one-time-code.ts';

/** What a `type` on the wire accepts (docs/protocol/auth.md, Links), and how the account is found. */
export interface VerifyType {
  readonly by: Guess['by'];
  readonly tokenTypes: readonly TokenType[];
  /** The accepted kinds of link, where they differ from the kinds of code. */
  readonly linkTypes?: readonly TokenType[];
}

const VERIFY_TYPES: Readonly<Record<string, VerifyType>> = {
  signup: { by: 'account', tokenTypes: ['confirmation'] },
  invite: { by: 'account', tokenTypes: ['invite'] },
  magiclink: { by: 'account', tokenTypes: ['sign_in'] },
  recovery: { by: 'account', tokenTypes: ['recovery'] },
  email: {
    by: 'account',
    tokenTypes: ['confirmation', 'sign_in', 'recovery'],
    linkTypes: ['confirmation', 'sign_in', 'recovery', 'address_proof'],
  },
  email_change: { by: 'recipient', tokenTypes: ['email_change_current', 'email_change_new'] },
  sms: { by: 'recipient', tokenTypes: ['sign_in'] },
  phone_change: { by: 'recipient', tokenTypes: ['phone_change'] },
};

export function verifyTypeOf(name: string): VerifyType | undefined {
  return Object.hasOwn(VERIFY_TYPES, name) ? VERIFY_TYPES[name] : undefined;
}
