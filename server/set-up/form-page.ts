import { html } from 'hono/html';
import type { Asked, Offered } from './missing-settings.ts';
import { type Html, pageFrame, type Reader } from './page-frame.ts';
import { A_MAIL_SERVER, AN_ADDRESS, ENCRYPTIONS, type Field, type Typed } from './read-set-up-form.ts';
import type { TestResult } from './send-test-mail.ts';
import { tryLines } from './try-address.ts';

export interface FormPage extends Reader {
  readonly productName: string;
  /** The path of the page. */
  readonly path: string;
  readonly asked: ReadonlySet<Asked>;
  readonly offered: ReadonlySet<Offered>;
  readonly typed: Typed;
  readonly problems: ReadonlyMap<Field, string>;
  /** What is wrong with none of the fields. */
  readonly failure?: string | undefined;
  /** Whether an empty password stands for one that was typed before. */
  readonly hasPassword: boolean;
  /** The same of the operator's password. */
  readonly hasOperatorPassword: boolean;
  readonly test?: TestResult | undefined;
  /** What the proxies in front say is the address of the browser. */
  readonly client: string | null;
  /** How the service is known to a browser that tries its address. */
  readonly probe: string;
}

/** Where the browser scrolls to after a test email. */
const TRIAL = 'try';

/** The form that an operator fills in once, for what no setting gives. */
export function formPage(page: FormPage): Html {
  const { language, texts, productName, path, problems, failure } = page;
  const summary = failure ?? (problems.size > 0 ? texts.problems.summary : undefined);
  const body = html`<h1>${texts.title(productName)}</h1>
<p class="soft">${texts.intro}</p>
${summary === undefined ? '' : html`<p class="bad" role="alert"><strong>${summary}</strong></p>`}
<form method="post" action="${path}" autocomplete="off">
<button class="default" name="action" value="save" tabindex="-1" aria-hidden="true"></button>
${page.offered.has('operator') ? accountSection(page) : ''}
${page.asked.has('PUBLIC_URL') ? addressSection(page) : ''}
${page.asked.has('SMTP_URL') || page.asked.has('MAIL_FROM') ? mailSection(page) : ''}
<button class="main" name="action" value="save">${texts.save(productName)}</button>
</form>`;
  return pageFrame({ language, title: texts.title(productName), body, tries: page.asked.has('PUBLIC_URL') });
}

function accountSection({ typed, problems, hasOperatorPassword, texts: { account, mail } }: FormPage): Html {
  return html`<section>
<h2>${account.title}</h2>
<p class="soft">${account.intro('/operate')}</p>
${field({
  name: 'operator',
  label: account.email,
  problem: problems.get('operator'),
  value: typed.operator,
  type: 'email',
  placeholder: 'you@example.org',
})}
<p class="hint without-mail">${account.withoutMail}</p>
${field({
  name: 'operatorPassword',
  label: account.password,
  hint: hasOperatorPassword ? mail.passwordKept : undefined,
  problem: problems.get('operatorPassword'),
  value: '',
  type: 'password',
})}
</section>`;
}

function addressSection({ typed, problems, offered, client, probe, texts }: FormPage): Html {
  const { address } = texts;
  return html`<section>
<h2>${address.title}</h2>
${field({
  name: 'address',
  label: address.label,
  hint: address.hint,
  problem: problems.get('address'),
  value: typed.address,
  type: 'url',
  placeholder: AN_ADDRESS,
  isRequired: true,
})}
${tryLines(probe, texts)}
<p class="hint" id="client">${client === null ? address.direct : address.proxied(client)}</p>
${
  offered.has('PRODUCT_NAME')
    ? field({ name: 'name', label: address.name, problem: problems.get('name'), value: typed.name })
    : ''
}
${
  offered.has('STICKER_URL')
    ? field({
        name: 'stickers',
        label: address.stickers,
        hint: address.stickersHint,
        problem: problems.get('stickers'),
        value: typed.stickers,
        type: 'url',
        placeholder: 'https://lo.example',
      })
    : ''
}
</section>`;
}

function mailSection(page: FormPage): Html {
  const { typed, problems, asked } = page;
  const { mail } = page.texts;
  return html`<section>
<h2>${mail.title}</h2>
<p class="soft">${mail.intro}</p>
${asked.has('SMTP_URL') ? withoutMail(page) : ''}
<div class="mail">
${asked.has('SMTP_URL') ? serverFields(page) : ''}
${
  asked.has('MAIL_FROM')
    ? field({
        name: 'from',
        label: mail.from,
        hint: mail.fromHint,
        problem: problems.get('from'),
        value: typed.from,
        placeholder: 'noreply@lost.example.org',
      })
    : ''
}
${trial(page)}
</div>
</section>`;
}

/** Without scripts, the style hides what a service without a mail server does not need. */
function withoutMail({ typed, texts: { mail } }: FormPage): Html {
  return html`<label class="check"><input type="checkbox" name="mailless" value="yes" aria-describedby="mailless-hint"${typed.mailless ? ' checked' : ''}>${mail.none}</label>
<p class="hint" id="mailless-hint">${mail.noneHint}</p>`;
}

function serverFields({ typed, problems, hasPassword, texts: { mail } }: FormPage): Html {
  return html`${field({
    name: 'host',
    label: mail.host,
    problem: problems.get('host'),
    value: typed.host,
    placeholder: A_MAIL_SERVER,
  })}
<div class="pair wide-first">
<div class="field"><label for="encryption">${mail.encryption}</label><select id="encryption" name="encryption">
${ENCRYPTIONS.map((kind) => html`<option value="${kind}"${kind === typed.encryption ? ' selected' : ''}>${mail.encryptions[kind]}</option>`)}
</select></div>
${field({ name: 'port', label: mail.port, hint: mail.portHint, problem: problems.get('port'), value: typed.port, mode: 'numeric' })}
</div>
<div class="pair">
${field({ name: 'user', label: mail.user, hint: mail.userHint, problem: problems.get('user'), value: typed.user })}
${field({
  name: 'password',
  label: mail.password,
  hint: hasPassword ? mail.passwordKept : undefined,
  problem: problems.get('password'),
  value: '',
  type: 'password',
})}
</div>`;
}

function trial({ typed, problems, path, test, texts: { test: texts } }: FormPage): Html {
  return html`<div class="trial" id="${TRIAL}">
<h2>${texts.title}</h2>
${field({ name: 'to', label: texts.label, problem: problems.get('to'), value: typed.to, type: 'email', placeholder: 'you@example.org' })}
<button class="other" name="action" value="test" formaction="${path}#${TRIAL}" formnovalidate>${texts.button}</button>
${test === undefined ? '' : testResult(test, texts)}
</div>`;
}

function testResult(test: TestResult, texts: Reader['texts']['test']): Html {
  if (test.sent) return html`<p class="good" role="status">${texts.sent(test.to)}</p>`;
  return html`<div class="bad" role="alert"><p><strong>${texts.failed}</strong> ${test.why}</p>
${test.reply === '' ? '' : html`<p class="hint">${texts.reply}</p><p class="reply" dir="ltr">${test.reply}</p>`}</div>`;
}

interface FieldOptions {
  readonly name: Field;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem: string | undefined;
  readonly value: string;
  readonly type?: 'text' | 'url' | 'email' | 'password';
  readonly mode?: 'numeric';
  readonly placeholder?: string;
  readonly isRequired?: boolean;
}

function field({
  name,
  label,
  hint,
  problem,
  value,
  type = 'text',
  mode,
  placeholder,
  isRequired,
}: FieldOptions): Html {
  const about = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" maxlength="500" autocapitalize="off" spellcheck="false" enterkeyhint="next" autocomplete="${type === 'password' ? 'new-password' : 'off'}"${name === 'name' ? '' : html` dir="ltr"`}${mode === undefined ? '' : html` inputmode="${mode}"`}${placeholder === undefined ? '' : html` placeholder="${placeholder}"`}${isRequired ? ' required' : ''}${problem === undefined ? '' : html` aria-invalid="true"`}${about === '' ? '' : html` aria-describedby="${about}"`}>
${problem === undefined ? '' : html`<p class="problem" id="${name}-problem">${problem}</p>`}
${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}</div>`;
}
