import { expect, test } from 'vitest';
import { setUp as texts } from '#domain/words/compiled/en/set-up.ts';
import { readConfig } from '#server/config.ts';
import { missingSettings } from './missing-settings.ts';
import { type NamedOperator, readSetUpForm, testProblems } from './read-set-up-form.ts';

const asked = new Set(['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM'] as const);
const GOOD = { address: 'https://lost.example.org/', host: 'mail.example.org', encryption: 'tls', from: 'a@b.example' };

const read = (fields: Readonly<Record<string, string>>, kept: Parameters<typeof readSetUpForm>[1]['kept'] = null) =>
  readSetUpForm(new URLSearchParams(fields), { asked, kept, texts });

test.each([
  [{}, 'smtps://mail.example.org:465'],
  [{ encryption: 'starttls' }, 'smtp://mail.example.org:587?requireTLS=true'],
  [{ encryption: 'none', port: '2525' }, 'smtp://mail.example.org:2525'],
  [{ encryption: 'anything' }, 'smtps://mail.example.org:465'],
  [
    { user: 'olive@example.org', password: ' p@ss:/?#%"<ü ' },
    'smtps://olive%40example.org:%20p%40ss%3A%2F%3F%23%25%22%3C%C3%BC%20@mail.example.org:465',
  ],
  [{ host: 'mail_server', encryption: 'none' }, 'smtp://mail_server:25'],
  [{ host: '[::1]' }, 'smtps://[::1]:465'],
  [{ host: 'Müller.example' }, 'smtps://xn--mller-kva.example:465'],
])('a mail server typed as %j becomes a setting that the environment could have', (fields, url) => {
  const { settings, problems } = read({ ...GOOD, ...fields });
  expect(problems).toEqual(new Map());
  expect(settings).toEqual({ PUBLIC_URL: 'https://lost.example.org', SMTP_URL: url, MAIL_FROM: 'a@b.example' });
  expect(readConfig({ NODE_ENV: 'production', ...settings }).smtp).toEqual({ url, from: 'a@b.example' });
});

test.each([
  ['address', 'lost.example.org'],
  ['address', 'https://lost.example.org/path'],
  ['address', 'javascript:alert(1)'],
  ['host', ''],
  ['host', 'mail.example.org:465'],
  ['host', 'a b'],
  ['host', 'user@mail.example.org'],
  ['host', 'mail.example.org/x'],
  ['host', '[::1'],
  ['port', '0'],
  ['port', '65536'],
  ['port', '25x'],
  ['from', 'nobody'],
  ['from', 'a@b.example\r\nBcc: c@d.example'],
  ['password', ''],
])('%s as %j gets a sentence beside its field, and is stored nowhere [J66]', (field, value) => {
  const { settings, problems } = read({ ...GOOD, user: field === 'password' ? 'olive' : '', [field]: value });
  expect([...problems.keys()]).toEqual([field]);
  expect(Object.values(settings)).toHaveLength(2);
});

test('without a mail server, nothing of one is asked', () => {
  const { settings, problems } = read({ address: GOOD.address, host: 'a b', from: 'nobody', mailless: 'yes' });
  expect([settings, problems]).toEqual([{ PUBLIC_URL: 'https://lost.example.org', SMTP_URL: 'none' }, new Map()]);
  const stored = { NODE_ENV: 'production', ...settings };
  expect(missingSettings(stored)).toEqual(new Set());
  expect(readConfig(stored)).toMatchObject({ hasMail: false });
});

test('what is not asked for is ignored', () => {
  const fields = new URLSearchParams({ ...GOOD, TRUSTED_PROXIES: '9' });
  const { settings, problems } = readSetUpForm(fields, { asked: new Set(['MAIL_FROM']), kept: null, texts });
  expect([settings, problems]).toEqual([{ MAIL_FROM: 'a@b.example' }, new Map()]);
});

test('an empty field stands for the password of before while server and user stay the same', () => {
  const login = { ...GOOD, user: 'olive', encryption: 'none', port: '25' };
  const { password } = read({ ...login, password: 'secret' });
  expect(read({ ...login, password: '' }, password).settings.SMTP_URL).toBe('smtp://olive:secret@mail.example.org:25');
  for (const other of [{ host: 'evil.example' }, { user: 'mallory' }]) {
    const { problems, settings } = read({ ...login, ...other, password: '' }, password);
    expect([...problems.keys()]).toEqual(['password']);
    expect(settings.SMTP_URL).toBeUndefined();
  }
});

test('a test email needs its recipient and what it is sent with, and no address of the service', () => {
  const without = read({ ...GOOD, address: '' });
  expect([...testProblems(without, texts).keys()]).toEqual(['to']);
  expect(testProblems(read({ ...GOOD, address: '', to: 'c@d.example' }), texts)).toEqual(new Map());
});

test('an operator has an address and a good password, or is left out', () => {
  const offered = new Set(['operator', 'PRODUCT_NAME', 'STICKER_URL'] as const);
  const withOperator = (fields: Readonly<Record<string, string>>, keptOperator: NamedOperator | null = null) =>
    readSetUpForm(new URLSearchParams({ ...GOOD, ...fields }), {
      asked,
      offered,
      kept: null,
      keptOperator,
      texts,
      checkPassword: (password) => (password === 'password' ? 'common' : null),
    });
  expect(withOperator({}).operator).toBeNull();
  const named = { email: 'olive@example.org', password: 'olive horse' };
  expect(withOperator({ operator: ' Olive@example.org ', operatorPassword: 'olive horse' })).toMatchObject({
    operator: named,
    problems: new Map(),
  });
  expect(withOperator({ operator: 'olive@example.org' }, named).operator).toEqual(named);
  // As the sign-in form reads it.
  const abroad = { ...named, email: 'olive@xn--mller-kva.example' };
  for (const password of ['', 'olive horse'])
    expect(withOperator({ operator: 'Olive@MÜLLER.example', operatorPassword: password }, abroad)).toMatchObject({
      operator: abroad,
      problems: new Map(),
    });
  for (const [fields, field] of [
    [{ operator: 'olive@example.org' }, 'operatorPassword'],
    [{ operator: 'other@example.org' }, 'operatorPassword'],
    [{ operator: 'olive@example.org', operatorPassword: 'password' }, 'operatorPassword'],
    [{ operator: 'nobody', operatorPassword: 'olive horse' }, 'operator'],
    [{ operator: 'olive@example', operatorPassword: 'olive horse' }, 'operator'],
    [{ operatorPassword: 'olive horse' }, 'operator'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ stickers: 'lo.example' }, 'stickers'],
  ] as const)
    expect([...withOperator(fields, { ...named, email: 'else@example.org' }).problems.keys()]).toEqual([field]);
  expect(withOperator({ name: 'Lost and found', stickers: 'https://lo.example/' }).settings).toMatchObject({
    PRODUCT_NAME: 'Lost and found',
    STICKER_URL: 'https://lo.example',
  });
});
