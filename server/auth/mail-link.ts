import type { Config } from '#server/config.ts';
import { type Redirect, withFragment } from './choose-redirect.ts';
import type { TokenType } from './one-time-code.ts';

/** What each purpose is called on the wire (section 1.8). */
const WIRE_TYPES: Readonly<Record<TokenType, string>> = {
  confirmation: 'signup',
  invite: 'invite',
  sign_in: 'magiclink',
  recovery: 'recovery',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
  phone_change: 'phone_change',
  reauthentication: 'reauthentication',
  address_proof: 'email',
  address_disowning: 'email',
};

/** The pages of ours that spend a token; all others of ours come out at the callback. */
const PAGES: Partial<Record<TokenType, string>> = {
  recovery: '/auth?reset=true',
  address_disowning: '/not-mine',
};

/** Whether a link of this flow leads to a code that only the client with the verifier can use. */
export function bindsToProofKey(redirect: Redirect, challenge: string): boolean {
  // A page of ours is told the token itself, so that the mail may be read on another device than the one that asked.
  return challenge !== '' && !redirect.isOurs;
}

/**
 * The address in a message. To a page of ours the token goes in the fragment, where no log and no Referer holds it,
 * and programs that look through mails use nothing up by fetching it; for any other page the protocol's own link.
 */
export function mailLink(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { tokenType, link, redirect }: { readonly tokenType: TokenType; readonly link: string; readonly redirect: Redirect },
): string {
  const type = WIRE_TYPES[tokenType];
  if (redirect.isOurs) {
    return withFragment(publicUrl + (PAGES[tokenType] ?? '/auth/callback'), { token_hash: link, type });
  }
  return `${publicUrl}/auth/v1/verify?${new URLSearchParams({ token: link, type, redirect_to: redirect.url })}`;
}
