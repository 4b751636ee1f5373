import { createHash, timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { ListedLanguage } from '#domain/language-list.ts';
import { wordsOf } from '#domain/words/loaded-words.ts';
import { isTooLong, type PasswordRules, weaknessOf } from '#server/auth/accounts/passwords.ts';
import { readText } from '#server/http/read-text.ts';
import { ownerLanguage } from '#server/languages/owner-language.ts';
import type { StoredSettings } from '#server/settings/stored-settings.ts';
import { type FormPage, formPage } from './form-page.ts';
import type { Asked, Offered } from './missing-settings.ts';
import { PAGE_HEADERS, type Reader } from './page-frame.ts';
import { gonePage, noticePage, startingPage, unknownPage, unreadablePage } from './plain-pages.ts';
import { namedClient, proposedAddress, proxiesInFront } from './proposed-address.ts';
import {
  type KeptPassword,
  type NamedOperator,
  readSetUpForm,
  type SetUpForm,
  type Texts,
  testProblems,
} from './read-set-up-form.ts';
import { sendTestMail, type TestResult } from './send-test-mail.ts';
import { serveProbe } from './try-address.ts';

export interface ToStore {
  readonly settings: Omit<StoredSettings, 'FIRST_OPERATOR'>;
  readonly operator: NamedOperator | null;
}

export interface SetUpOptions {
  readonly token: string;
  readonly productName: string;
  /** Of visitors whose browser asks for none of ours. */
  readonly defaultLanguage: ListedLanguage;
  readonly asked: ReadonlySet<Asked>;
  readonly offered: ReadonlySet<Offered>;
  readonly passwordRules: PasswordRules;
  /** What the environment gives of what is not asked. */
  readonly given: { readonly [Name in Asked]?: string };
  /**
   * Checks and stores what was typed, once. Returns the public address where these or others' are now stored, and null where
   * they could not be.
   */
  store(given: ToStore): Promise<{ readonly publicUrl: string; readonly isOurs: boolean } | null>;
}

/** Where the operator who has just set the service up waits for it. Visitors wait for its first page. */
const TO_CONSOLE = '/?console';
/** Far more than the form sends. */
const MOST_BYTES = 16_384;
const NOTHING_TYPED = {
  address: '',
  host: '',
  encryption: 'tls',
  port: '',
  user: '',
  from: '',
  to: '',
  stickers: '',
  operator: '',
  mailless: false,
} as const;

/** The pages of a service that waits to be set up. They log nothing, least of all what is typed. */
export function setUpRoutes(options: SetUpOptions): Hono {
  const { productName, asked, offered, given, passwordRules } = options;
  const isToken = compareWith(options.token);
  const path = `/set-up/${options.token}`;
  /** It never goes back to the browser, so that the page after a test email has no password in it. */
  let kept: KeptPassword | null = null;
  let keptOperator: NamedOperator | null = null;
  const checkPassword = (password: string, { problems }: Texts) =>
    isTooLong(password) || weaknessOf(passwordRules, password) !== null
      ? problems.weakPassword(passwordRules.passwordLength)
      : null;
  const readerOf = async (c: Context): Promise<Reader> => {
    const language = await ownerLanguage(c, options);
    return { language, texts: wordsOf(language.tag).setUp };
  };
  /** The one attempt to store; a failed one makes place for another. */
  let storing: ReturnType<SetUpOptions['store']> | null = null;
  let publicUrl: string | null = null;

  const showForm = (
    c: Context,
    page: Omit<FormPage, 'productName' | 'path' | 'asked' | 'offered' | 'client' | 'probe'>,
  ) => formPage({ productName, path, asked, offered, client: namedClient(c.req), probe, ...page });

  const test = async (c: Context, form: SetUpForm, reader: Reader) => {
    const { typed, password, operator, settings } = form;
    const hasOperatorPassword = operator !== null && operator.password !== '';
    const problems = testProblems(form, reader.texts);
    const url = settings.SMTP_URL ?? given.SMTP_URL;
    const from = settings.MAIL_FROM ?? given.MAIL_FROM;
    let result: TestResult | undefined;
    if (problems.size === 0 && !typed.mailless && url !== undefined && from !== undefined) {
      result = await sendTestMail({ url, from, to: typed.to, productName, texts: reader.texts });
    }
    const status = result?.sent === true ? 200 : 422;
    return c.html(
      showForm(c, { ...reader, typed, problems, hasPassword: password !== null, hasOperatorPassword, test: result }),
      status,
    );
  };

  const save = async (c: Context, { typed, password, operator, settings, problems }: SetUpForm, reader: Reader) => {
    const hasOperatorPassword = operator !== null && operator.password !== '';
    const shown = { ...reader, typed, problems, hasPassword: password !== null, hasOperatorPassword };
    if (problems.size > 0) return c.html(showForm(c, shown), 422);
    const isFirst = storing === null;
    const { PUBLIC_URL } = settings;
    storing ??= options.store({
      operator,
      settings: {
        ...settings,
        ...(PUBLIC_URL !== undefined && { TRUSTED_PROXIES: String(proxiesInFront(c.req, PUBLIC_URL)) }),
      },
    });
    const stored = await storing;
    if (stored === null) {
      storing = null;
      return c.html(showForm(c, { ...shown, failure: reader.texts.problems.unstored }), 500);
    }
    publicUrl = stored.publicUrl;
    if (isFirst && stored.isOurs) return c.redirect(operator === null ? '/' : TO_CONSOLE, 303);
    return c.html(gonePage({ ...reader, productName, publicUrl }), 409);
  };

  const routes = new Hono();
  routes.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.res.headers.set(name, value);
  });
  const probe = serveProbe(routes);
  routes.get('/health/live', (c) => c.json({ status: 'live' }));
  routes.get('/health/ready', (c) => c.json({ status: 'set-up' }, 503, { 'Retry-After': '1' }));
  routes.get('/', async (c) => {
    const shown = { ...(await readerOf(c)), productName };
    const page =
      publicUrl === null
        ? noticePage(shown)
        : startingPage({ ...shown, publicUrl, toConsole: c.req.query('console') !== undefined });
    return c.html(page, 503, { 'Retry-After': '5' });
  });
  routes.get('/set-up/:token', async (c) => {
    if (!isToken(c.req.param('token'))) return c.notFound();
    if (publicUrl !== null) return c.redirect('/', 303);
    const typed = { ...NOTHING_TYPED, name: productName, address: proposedAddress(c.req) };
    const shown = {
      ...(await readerOf(c)),
      typed,
      problems: new Map(),
      hasPassword: false,
      hasOperatorPassword: false,
    };
    return c.html(showForm(c, shown));
  });
  routes.post('/set-up/:token', async (c) => {
    if (!isToken(c.req.param('token'))) return c.notFound();
    const reader = await readerOf(c);
    const { texts } = reader;
    const read = await readText(c.req.raw, MOST_BYTES);
    if (read.outcome !== 'read') return c.html(unreadablePage({ ...reader, productName }), 400);
    const fields = new URLSearchParams(read.text);
    const form = readSetUpForm(fields, {
      asked,
      offered,
      kept,
      keptOperator,
      texts,
      checkPassword,
    });
    kept = form.password;
    keptOperator = form.operator;
    return fields.get('action') === 'test' ? test(c, form, reader) : save(c, form, reader);
  });
  routes.notFound(async (c) => c.html(unknownPage({ ...(await readerOf(c)), productName }), 404));
  return routes;
}

/** Compares in a time that says nothing about the token. */
function compareWith(token: string): (other: string) => boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const wanted = hash(token);
  return (other) => timingSafeEqual(hash(other), wanted);
}
