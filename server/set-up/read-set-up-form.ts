import { domainToASCII } from 'node:url';
import * as v from 'valibot';
import type { setUpEn } from '#domain/texts/set-up/set-up-en.ts';
import { mailAddress, mailSender, NO_MAIL_SERVER, webOrigin } from '#server/settings/values.ts';
import type { Asked } from './missing-settings.ts';

export type Texts = typeof setUpEn;

export const ENCRYPTIONS = ['tls', 'starttls', 'none'] as const;
type Encryption = (typeof ENCRYPTIONS)[number];
const PORTS: Readonly<Record<Encryption, number>> = { tls: 465, starttls: 587, none: 25 };

/** The fields of the form by their names in it, but for the password, which never goes back to the browser. */
export interface Typed {
  readonly address: string;
  readonly host: string;
  readonly encryption: Encryption;
  readonly port: string;
  readonly user: string;
  readonly from: string;
  readonly to: string;
  /** There is no mail server. */
  readonly mailless: boolean;
}

export type Field = Exclude<keyof Typed, 'encryption' | 'mailless'> | 'password';

/** A password, and what it was typed for. */
export interface KeptPassword {
  readonly host: string;
  readonly user: string;
  readonly password: string;
}

export interface SetUpForm {
  readonly typed: Typed;
  /** The password of this mail server and user, typed now or before; null where there is none. */
  readonly password: KeptPassword | null;
  /** As they would stand in the environment; only those that were asked for and are well-formed. */
  readonly settings: { readonly [Name in Asked]?: string };
  readonly problems: ReadonlyMap<Field, string>;
}

/**
 * Reads the form. What was not asked for is ignored.
 *
 * @param kept - The password of an earlier form, which an empty field stands for while server and user stay the same.
 */
export function readSetUpForm(
  fields: URLSearchParams,
  { asked, kept, texts }: { asked: ReadonlySet<Asked>; kept: KeptPassword | null; texts: Texts },
): SetUpForm {
  const problems = new Map<Field, string>();
  const typed = readTyped(fields);
  const { host, user } = typed;
  const password = passwordOf(fields.get('password') ?? '', { host, user, kept });
  const settings: { [Name in Asked]?: string } = {};

  if (asked.has('PUBLIC_URL')) {
    const parsed = v.safeParse(webOrigin, typed.address);
    if (parsed.success) settings.PUBLIC_URL = parsed.output;
    else problems.set('address', texts.problems.address);
  }
  const isMailless = asked.has('SMTP_URL') && typed.mailless;
  if (isMailless) settings.SMTP_URL = NO_MAIL_SERVER;
  else if (asked.has('SMTP_URL')) {
    const found = mailServerProblems(typed, { password: password?.password ?? '', texts });
    for (const [field, text] of found) problems.set(field, text);
    if (found.size === 0) settings.SMTP_URL = mailServerUrl(typed, password?.password ?? '');
  }
  if (asked.has('MAIL_FROM') && !isMailless) {
    if (v.is(mailSender, typed.from)) settings.MAIL_FROM = typed.from;
    else problems.set('from', texts.problems.from);
  }
  return { typed, password, settings, problems };
}

/** Returns what keeps a test email from being sent: of the fields for mail, and its recipient. */
export function testProblems({ typed, problems }: SetUpForm, texts: Texts): ReadonlyMap<Field, string> {
  const found = new Map([...problems].filter(([field]) => field !== 'address'));
  if (!v.is(mailAddress, typed.to)) found.set('to', texts.problems.to);
  return found;
}

function readTyped(fields: URLSearchParams): Typed {
  const read = (name: string) => (fields.get(name) ?? '').trim();
  const encryption = ENCRYPTIONS.find((known) => known === fields.get('encryption')) ?? 'tls';
  const mailless = fields.get('mailless') === 'yes';
  const [address, host, port] = [read('address'), read('host'), read('port')];
  return { address, host, encryption, port, user: read('user'), from: read('from'), to: read('to'), mailless };
}

function passwordOf(
  typed: string,
  { host, user, kept }: { host: string; user: string; kept: KeptPassword | null },
): KeptPassword | null {
  if (typed !== '') return { host, user, password: typed };
  return kept !== null && kept.host === host && kept.user === user ? kept : null;
}

function mailServerProblems(
  { host, port, user }: Typed,
  { password, texts }: { password: string; texts: Texts },
): ReadonlyMap<Field, string> {
  const problems = new Map<Field, string>();
  if (!isHost(host)) problems.set('host', texts.problems.host);
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    problems.set('port', texts.problems.port);
  }
  if (user === '' && password !== '') problems.set('user', texts.problems.user);
  if (user !== '' && password === '') problems.set('password', texts.problems.password);
  return problems;
}

/** A name of the DNS or of a network of containers, or an address; IPv6 in brackets, as in a URL. */
function isHost(host: string): boolean {
  if (/^\[[0-9a-f:.]+\]$/i.test(host)) return URL.canParse(`http://${host}`);
  // Otherwise the conversion would drop what comes behind them.
  if (/[\s/?#@:\\]/.test(host)) return false;
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(domainToASCII(host));
}

/** Without encryption, STARTTLS is still used where the server offers it. */
function mailServerUrl({ host, encryption, port, user }: Typed, password: string): string {
  const scheme = encryption === 'tls' ? 'smtps' : 'smtp';
  const credentials = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  const name = host.startsWith('[') ? host : domainToASCII(host);
  const place = `${name}:${port === '' ? PORTS[encryption] : Number(port)}`;
  return `${scheme}://${credentials}${place}${encryption === 'starttls' ? '?requireTLS=true' : ''}`;
}
