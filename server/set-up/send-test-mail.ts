import type { SetUpWords } from '#domain/words/compiled/types.ts';

/** What a person is told about a test email; `reply` is the mail server's own text. */
export type TestResult =
  | { readonly sent: true; readonly to: string }
  | { readonly sent: false; readonly why: string; readonly reply: string };

export interface TestMail {
  /** `smtp://` or `smtps://`, as in the settings. */
  readonly url: string;
  readonly from: string;
  readonly to: string;
  readonly productName: string;
  readonly texts: Pick<SetUpWords, 'test' | 'failures'>;
  /** In milliseconds: for each step, and with some more for all of them. */
  readonly timeoutMs?: number;
}

/** A reply may be as long as the server likes. */
const MOST_OF_REPLY = 500;

/**
 * Sends a test email, and says in words of everyday what went wrong. Never rejects, and takes no longer than twice the time
 * of a step, whatever the mail server does.
 */
export async function sendTestMail(mail: TestMail): Promise<TestResult> {
  const { url, from, to, productName, texts, timeoutMs = 8_000 } = mail;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(
    {
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), 2 * timeoutMs);
  try {
    const sending = transport.sendMail({
      to: { name: '', address: to },
      subject: texts.test.subject(productName),
      text: texts.test.body(productName),
    });
    const outOfTime = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(Object.assign(new Error('Too slow'), { code: 'ETIMEDOUT' })));
    });
    await Promise.race([sending, outOfTime]);
    return { sent: true, to };
  } catch (error) {
    return { sent: false, why: explain(error, mail), reply: replyOf(error).slice(0, MOST_OF_REPLY) };
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/** Codes of nodemailer and of Node; the messages below are OpenSSL's and nodemailer's own. */
function explain(error: unknown, { url, texts: { failures } }: TestMail): string {
  const { hostname: host, port: typedPort } = new URL(url);
  const port = typedPort || (url.startsWith('smtps:') ? '465' : '587');
  const { code, command, message, status } = readError(error);
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message)) return failures.unknownHost(host);
  if (/ECONNREFUSED/.test(message)) return failures.refused({ host, port });
  if (/EHOSTUNREACH|ENETUNREACH/.test(message)) return failures.unreachable(host);
  if (code === 'ETIMEDOUT' || /ETIMEDOUT/.test(message)) return failures.silent({ host, port });
  if (/wrong version number|packet length|record/i.test(message)) return failures.notTls({ host, port });
  if (/certificate|altnames|self.signed/i.test(message)) return failures.certificate(host);
  if (command === 'STARTTLS' || /STARTTLS/.test(message)) return failures.noStarttls(host);
  if (status === 530 || code === 'ENOAUTH') return failures.loginNeeded;
  if (code === 'EAUTH') return failures.login;
  if (command === 'MAIL FROM') return failures.sender;
  if (command === 'RCPT TO') return failures.recipient;
  if (code === 'EPROTOCOL') return failures.notMail({ host, port });
  if (code === 'ECONNECTION' || code === 'ESOCKET' || code === 'ETLS') return failures.ended(host);
  return failures.other;
}

function readError(error: unknown) {
  const { code, command, responseCode } = { code: '', command: '', responseCode: 0, ...Object(error) };
  const message = error instanceof Error ? error.message : '';
  return { code: String(code), command: String(command), status: Number(responseCode), message };
}

function replyOf(error: unknown): string {
  return error instanceof Error && 'response' in error && typeof error.response === 'string' ? error.response : '';
}
