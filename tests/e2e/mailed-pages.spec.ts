import { press } from './support/keyboard.ts';
import { newPhone, register } from './support/register-owner.ts';
import { operatorClient, protocolClients } from './support/register-person.ts';
import { signIn } from './support/sign-in.ts';
import { expect, newTagCode, test } from './support/test.ts';

test('a reader of mail about another user’s account removes their address from it, once', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, service, outbox, newOwner }) => {
  const { email, code, session } = await newOwner();
  const finder = (await protocolClients(service))();
  const message = { qr_id_param: code, body_param: 'I found it', finder_key_param: 'the-key-of-whoever-found-it' };
  expect((await finder.rpc('send_message', message)).error).toBeNull();
  const link = async () => {
    const mail = (await outbox()).find(({ channel, recipient }) => channel === 'email' && recipient === email);
    return /https?:\/\/\S+\/not-mine#\S+/.exec(mail?.body ?? '')?.[0];
  };
  await expect.poll(link).toBeDefined();
  const { pathname, hash } = new URL((await link()) ?? '');

  // Opening it does nothing yet: mail programs follow links by themselves.
  await page.goto(pathname + hash);
  await expect(page.getByRole('heading', { name: 'Not your account?' })).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Remove my email' }));
  await expect(page.getByRole('heading', { name: 'We removed your email' })).toBeVisible();

  // Its owner has the account still, without the address.
  const owner = await another();
  await signIn(owner.context(), service.url, session);
  await owner.goto('/profile');
  await expect(owner.locator('dl')).toContainText(`+${session.user.phone}`);
  await expect(owner.locator('dl')).not.toContainText(email);

  await page.goto('/');
  await page.goto(pathname + hash);
  await page.getByRole('button', { name: 'Remove my email' }).click();
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
});

test('after two registrations of one address each browser keeps its own details, with either code', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, service, outbox }) => {
  const code = newTagCode();
  const [email, phone] = [`${code.slice(4).toLowerCase()}@example.com`, newPhone()];
  const [own, strange] = ['a lantern by the door', 'nineteen green bicycles'];
  await register(page, '/auth?mode=register', email, own, phone);
  // A development server sends an account one code a second.
  const sentAt = Date.now();
  await expect.poll(() => Date.now() - sentAt).toBeGreaterThan(1_000);
  await register(await another(), '/auth?mode=register', email, strange, phone);
  // The outbox has the newest first.
  const codes = async () =>
    (await outbox())
      .filter(({ recipient }) => recipient === `+972${phone.slice(1)}`)
      .flatMap(({ body }) => /\b\d{6}\b/.exec(body) ?? []);
  await expect.poll(async () => (await codes()).length).toBe(2);
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type((await codes())[0] ?? '');

  await expect(page).toHaveURL(/\/item\/new-item/);
  const { auth } = (await protocolClients(service))();
  expect((await auth.signInWithPassword({ email, password: strange })).error?.code).toBe('invalid_credentials');
  expect((await auth.signInWithPassword({ email, password: own })).error).toBeNull();
});

test('a link from an operator signs in the user who presses its button, and one for a new password lets them choose it', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, service, newOwner }) => {
  const { email } = await newOwner();
  const { auth } = await operatorClient(service);
  const link = async (type: 'magiclink' | 'recovery') => {
    const { data, error } = await auth.admin.generateLink({ type, email });
    if (error !== null) throw error;
    return data.properties.action_link;
  };
  await page.goto(await link('magiclink'));
  await expect(page.getByText('Press the button to sign in.')).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Confirm' }));
  await expect(page).toHaveURL('/dashboard');

  const elsewhere = await another();
  await elsewhere.goto(await link('recovery'));
  await press(elsewhere, elsewhere.getByRole('button', { name: 'Confirm' }));
  await elsewhere.getByLabel('New password', { exact: true }).fill('nineteen green bicycles');
  await elsewhere.getByRole('button', { name: 'Save Password' }).click();
  await expect(elsewhere.getByText('Password changed. You’re signed out everywhere else.')).toBeVisible();
  await expect(elsewhere).toHaveURL('/dashboard');
  const { data } = await (await protocolClients(service))().auth.signInWithPassword({
    email,
    password: 'nineteen green bicycles',
  });
  expect(data.user?.email).toBe(email);
});

test('an invited user signs in by the email, and chooses a first password without entering a current one', {
  tag: ['@one-width', '@rest'],
}, async ({ page, service, outbox }) => {
  const email = `invited-${newTagCode().slice(4).toLowerCase()}@example.com`;
  expect((await (await operatorClient(service)).auth.admin.inviteUserByEmail(email)).error).toBeNull();
  const mail = (await outbox()).find(({ recipient }) => recipient === email);
  const { pathname, hash } = new URL(/https?:\/\/\S+#\S+/.exec(mail?.body ?? '')?.[0] ?? '');
  await page.goto(pathname + hash);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL('/profile/security');
  await expect(page.getByText('Your account has no password yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('New password', { exact: true }).fill('nineteen green bicycles');
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('Your account has no password yet.')).toBeHidden();
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password')).toBeVisible();
});
