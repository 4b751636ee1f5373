import { domainToASCII } from 'node:url';
import * as v from 'valibot';
import type { SetUpWords } from '#domain/words/compiled/types.ts';
import { normalizeAddress, readEmailAddress } from '#server/delivery/email/email-address.ts';
import { mailAddress, mailSender, NO_MAIL_SERVER, webOrigin } from '#server/settings/values.ts';
import type { Asked, Offered } from './missing-settings.ts';

export type Texts = Pick<SetUpWords, 'problems'>;

export const ENCRYPTIONS = ['tls', 'starttls', 'none'] as const;
type Encryption = (typeof ENCRYPTIONS)[number];
const PORTS: Readonly<Record<Encryption, number>> = { tls: 465, starttls: 587, none: 25 };

const MAIL_FIELDS: ReadonlySet<Field> = new Set(['host', 'port', 'user', 'password', 'from', 'to']);
const NOTHING_OFFERED: ReadonlySet<Offered> = new Set();
/** Examples in the texts of problems. */
export const AN_ADDRESS = 'https://lost.example.org';
export const A_MAIL_SERVER = 'mail.example.org';
const A_SENDER = 'Reunite <noreply@lost.example.org>';
/** As `PRODUCT_NAME` of the environment. */
const LONGEST_NAME = 40;

interface ReadOptions {
  readonly asked: ReadonlySet<Asked>;
  /** What may be left empty. */
  readonly offered?: ReadonlySet<Offered>;
  /** The password of an earlier form, which an empty field stands for while server and user stay the same. */
  readonly kept: KeptPassword | null;
  /** The operator of an earlier form. */
  readonly keptOperator?: NamedOperator | null;
  readonly texts: Texts;
  /** Returns what is wrong with the password of an account, or null. */
  readonly checkPassword?: (password: string, texts: Texts) => string | null;
}

/** The fields of the form by their names in it, but for the password, which never goes back to the browser. */
export interface Typed {
  readonly address: string;
  readonly host: string;
  readonly encryption: Encryption;
  readonly port: string;
  readonly user: string;
  readonly from: string;
  readonly to: string;
  /** The product's name. */
  readonly name: string;
  /** The address of links on stickers, if it is another. */
  readonly stickers: string;
  /** The email address of the operator's account; empty for none. */
  readonly operator: string;
  /** There is no mail server. */
  readonly mailless: boolean;
}

export type Field = Exclude<keyof Typed, 'encryption' | 'mailless'> | 'password' | 'operatorPassword';

/** The operator's account. */
export interface NamedOperator {
  readonly email: string;
  readonly password: string;
}

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
  /** Null where none is asked for or named; with an empty password, it is not well-formed. */
  readonly operator: NamedOperator | null;
  /** As they would stand in the environment; only those that were asked for and are well-formed. */
  readonly settings: { readonly [Name in Asked | Offered]?: string };
  readonly problems: ReadonlyMap<Field, string>;
}

/** Reads the form. What was not asked for is ignored. */
export function readSetUpForm(
  fields: URLSearchParams,
  { asked, offered = NOTHING_OFFERED, kept, keptOperator = null, texts, checkPassword = () => null }: ReadOptions,
): SetUpForm {
  const problems = new Map<Field, string>();
  const typed = readTyped(fields);
  const { host, user } = typed;
  const password = passwordOf(fields.get('password') ?? '', { host, user, kept });
  const settings: { [Name in Asked | Offered]?: string } = {};
  const operator = offered.has('operator')
    ? operatorOf(typed.operator, fields.get('operatorPassword') ?? '', keptOperator)
    : null;
  if (operator !== null) {
    if (readEmailAddress(operator.email, []).problem !== null) problems.set('operator', texts.problems.operator);
    const weakness =
      operator.password === '' ? texts.problems.operatorPassword : checkPassword(operator.password, texts);
    if (weakness !== null) problems.set('operatorPassword', weakness);
  }
  if (offered.has('PRODUCT_NAME') && typed.name !== '') {
    if (typed.name.length <= LONGEST_NAME) settings.PRODUCT_NAME = typed.name;
    else problems.set('name', texts.problems.name);
  }
  if (offered.has('STICKER_URL') && typed.stickers !== '') {
    const parsed = v.safeParse(webOrigin, typed.stickers);
    if (parsed.success) settings.STICKER_URL = parsed.output;
    else problems.set('stickers', texts.problems.address(AN_ADDRESS));
  }

  if (asked.has('PUBLIC_URL')) {
    const parsed = v.safeParse(webOrigin, typed.address);
    if (parsed.success) settings.PUBLIC_URL = parsed.output;
    else problems.set('address', texts.problems.address(AN_ADDRESS));
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
    else problems.set('from', texts.problems.from(A_SENDER));
  }
  return { typed, password, operator, settings, problems };
}

/** The password never goes back to the browser: an empty field stands for the one of before. */
function operatorOf(email: string, typed: string, kept: NamedOperator | null): NamedOperator | null {
  if (email === '' && typed === '') return null;
  const address = normalizeAddress(email);
  return { email: address, password: typed === '' && kept?.email === address ? kept.password : typed };
}

/** Returns what keeps a test email from being sent: of the fields for mail, and its recipient. */
export function testProblems({ typed, problems }: SetUpForm, texts: Texts): ReadonlyMap<Field, string> {
  const found = new Map([...problems].filter(([field]) => MAIL_FIELDS.has(field)));
  if (!v.is(mailAddress, typed.to)) found.set('to', texts.problems.to);
  return found;
}

function readTyped(fields: URLSearchParams): Typed {
  const read = (name: string) => (fields.get(name) ?? '').trim();
  const encryption = ENCRYPTIONS.find((known) => known === fields.get('encryption')) ?? 'tls';
  const mailless = fields.get('mailless') === 'yes';
  const [address, host, port] = [read('address'), read('host'), read('port')];
  return {
    address,
    host,
    encryption,
    port,
    user: read('user'),
    from: read('from'),
    to: read('to'),
    name: read('name'),
    stickers: read('stickers'),
    operator: read('operator'),
    mailless,
  };
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
  if (!isHost(host)) problems.set('host', texts.problems.host(A_MAIL_SERVER));
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
