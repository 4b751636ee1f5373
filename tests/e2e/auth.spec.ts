import type { Page } from '@playwright/test';
import { proveAddress } from './support/prove-address.ts';
import { refuseForGap } from './support/refuse-for-gap.ts';
import { newPhone, register } from './support/register-owner.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ refusals: [400, 403, 422, 429, 500] });

const password = 'a kettle full of stars';

function addressOf(code: string): string {
  return `owner-${code.slice(4).toLowerCase()}@example.com`;
}

test('an empty form names each missing field', async ({ page }) => {
  await page.goto('/auth?mode=register');
  await page.getByRole('button', { name: 'Create Account' }).click();
  for (const text of [
    'Full name is required',
    'Email is required',
    'Phone number is required',
    'Password is required',
  ]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  await page.getByLabel('Password', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
});

test('the mode comes from mode=, then reset=true, then from whether there is a code', { tag: '@rest' }, async ({
  page,
}) => {
  const code = newTagCode();
  for (const [address, title] of [
    ['/auth', 'Welcome back'],
    ['/auth?mode=register', 'Create your account'],
    ['/auth?reset=true', 'Reset your password'],
    ['/auth?reset=true&mode=login', 'Welcome back'],
    [`/auth?qr_id=${code}`, 'Create your account'],
    [`/auth/${code}?mode=login`, 'Welcome back'],
    [`/auth/${code}`, 'Create your account'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  await expect(page.getByText(`Creating an account to tag your item with QR code: ${code}`)).toBeVisible();
  // The code stays in this tab, once the page that it came with has started.
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage))).toContain(code);
  await page.goto('/auth');
  await expect(page.getByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible();
  await expect(page.getByText('Found something with this sticker?')).toBeHidden();
});

test('switching the mode keeps the form of the URL and clears errors', async ({ page }) => {
  const code = newTagCode();
  await page.goto(`/auth/${code}?mode=login`);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const email = page.getByLabel('Email');
  await expect(page.getByText('Email is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeVisible();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(email).toBeFocused();
  // The color of the line changes over a moment.
  const isRedAsItsError = () =>
    email.evaluate((input) => {
      const error = document.getElementById(`${input.id}-error`);
      return error !== null && getComputedStyle(input).borderTopColor === getComputedStyle(error).color;
    });
  await expect.poll(isRedAsItsError).toBe(true);

  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL(new RegExp(`/auth/${code}\\?mode=reset$`));
  await expect(page.getByText('Email is required')).toBeHidden();
  await page.getByRole('link', { name: 'Create Account' }).click();
  await expect(page).toHaveURL(new RegExp(`/auth/${code}\\?mode=register$`));
  await page.getByRole('link', { name: 'Already have an account?' }).click();
  await expect(page).toHaveURL(new RegExp(`/auth/${code}\\?mode=login$`));
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL(new RegExp(`/auth/${code}\\?mode=register$`));

  await page.goto('/auth');
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/auth');
  await page.getByRole('link', { name: 'Create Account' }).click();
  await expect(page).toHaveURL(/\/auth\?mode=register$/);
});

test('a password is shown and hidden', async ({ page }) => {
  await page.goto('/auth?mode=login');
  const field = page.getByLabel('Password', { exact: true });
  await field.fill(password);
  await expect(field).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(field).toHaveAttribute('type', 'text');
  await expect(field).toHaveValue(password);
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(field).toHaveAttribute('type', 'password');
});

test('what is typed and sent before the page’s script runs is kept and sent once', { tag: '@one-width' }, async ({
  page,
}) => {
  const mayArrive = Promise.withResolvers<void>();
  await page.route('**/*.js', (route) => mayArrive.promise.then(() => route.continue()));
  const sent: unknown[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // The form asks by itself for what a passkey would sign.
    const isOfForm = pathname !== '/auth/v1/passkeys/authentication/options';
    if (request.method() === 'POST' && isOfForm) sent.push([pathname, request.postDataJSON()?.email]);
  });
  await page.goto('/auth?mode=login', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a wrong password');
  const submit = page.getByRole('button', { name: 'Sign In', exact: true });
  await submit.click();
  await expect(submit).toBeDisabled();
  await expect(page).toHaveURL(/mode=login$/);
  mayArrive.resolve();
  await expect(page.getByRole('alert').filter({ visible: true }).first()).toBeVisible();
  await expect(submit).toBeEnabled();
  await expect(submit).not.toHaveAttribute('aria-busy');
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.com');
  expect(sent).toEqual([['/auth/v1/token', 'nobody@example.com']]);
});

test('a wrong password is refused in one alert and a toast, and the button says what it does', async ({ page }) => {
  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  let response = () => {};
  const held = new Promise<void>((resolve) => {
    response = resolve;
  });
  await page.route('**/auth/v1/token**', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeDisabled();
  response();
  await expect(page.getByRole('alert')).toHaveText('Login failed. Please check your credentials.');
  await expect(page.getByText('Failed to sign in', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
});

test('registering a taken address or an invalid one says so', { tag: '@one-width' }, async ({
  page,
  newOwner,
  service,
}) => {
  const { email: taken, session } = await newOwner();
  await proveAddress(service, session.user.id);
  const registerAs = async (email: string) => {
    await page.goto('/auth?mode=register');
    await page.getByLabel('Full name').fill('Noa Bar');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Phone number').fill('0509999999');
    await page.getByRole('button', { name: 'Suggest a strong password' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(/^.{16}$/);
    await page.getByRole('button', { name: 'Create Account' }).click();
  };
  // Upper case and spaces make no other address.
  const field = page.getByLabel('Email');
  await registerAs(` ${taken.toUpperCase()} `);
  await expect(field).toHaveAccessibleDescription('An account with this email already exists. Please sign in instead.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toBeFocused();
  // What this browser sees to be none, and what only the service does.
  for (const none of ['nora@', 'nora@-example.com']) {
    await registerAs(none);
    await expect(field).toHaveAccessibleDescription(
      'Email address format is not accepted by our authentication provider. Please use a different email address with a common domain (like gmail.com, outlook.com, etc).',
    );
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toBeFocused();
  }
});

test('a password that the service finds weak is marked at its field', { tag: ['@one-width', '@rest'] }, async ({
  page,
}) => {
  await page.goto('/auth?mode=register');
  await page.getByLabel('Full name').fill('Noa Bar');
  await page.getByLabel('Email').fill(addressOf(newTagCode()));
  await page.getByLabel('Phone number').fill('0509999999');
  const field = page.getByLabel('Password', { exact: true });
  await field.fill('password');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(field).toHaveAccessibleDescription(/^Password is known to be weak and easy to guess/);
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toBeFocused();
  await expect(page.getByRole('alert')).toBeHidden();
});

/** Registers up to the screen that asks for the code. Resolves with the phone number, as typed. */
async function registerWith(page: Page, code: string): Promise<string> {
  const phone = newPhone();
  await register(page, `/auth/${code}`, addressOf(code), password, phone);
  return phone;
}

test('a code is requested, survives a reload, and a wrong one is refused', async ({ page }) => {
  const phone = await registerWith(page, newTagCode());
  await expect(page.getByText('Please verify your phone number to complete registration')).toBeVisible();
  await expect(page.getByText(new RegExp(`sent to .*${phone.slice(-4)}`))).not.toContainText(phone.slice(1, 7));
  await expect(page.getByText('In production, this would be sent via SMS')).toBeVisible();
  await expect(page.getByText('Backup code')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(password);

  const digits = page.getByRole('textbox');
  const verify = page.getByRole('button', { name: 'Verify' });
  await expect(digits.first()).toBeFocused();
  await expect(digits.first()).toHaveAttribute('autocomplete', 'one-time-code');
  await page.keyboard.type('00000');
  await expect(verify).toBeDisabled();
  await page.keyboard.press('Backspace');
  await expect(digits.nth(4)).toHaveValue('');
  await page.keyboard.type('00');
  await expect(page.getByRole('alert')).toHaveText('Invalid verification code');
  await expect(page.getByText('Invalid verification code. Please try again.')).toBeVisible();

  // The page's own way back is another one, and has another name.
  await expect(page.getByRole('link', { name: 'Back', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible();
});

test('after the right code the item is the next screen', { tag: '@one-width' }, async ({ page }) => {
  const code = newTagCode();
  await registerWith(page, code);
  const titles = await page.evaluateHandle(() => {
    const seen = new Set<string>();
    const look = () => seen.add(document.querySelector('h1')?.textContent ?? '');
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    return seen;
  });
  await page.keyboard.type('123456');
  await expect(page).toHaveURL(new RegExp(`/item/${code}`));
  await expect(page.getByRole('heading', { name: 'It’s tagged. What is it?' })).toBeVisible();
  const seen = await titles.evaluate((set) => [...set].filter((title) => title !== ''));
  expect(seen).toEqual(['Verify Your Account', 'It’s tagged. What is it?']);
  // Nothing waits any more for a code that has been used.
  await page.goto('/auth?mode=reset');
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
});

test('another code comes after a visible wait, and its toast stays for 10 seconds', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await page.clock.install();
  await registerWith(page, newTagCode());
  await expect(page.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();
  await page.clock.fastForward('01:01');
  const resend = page.getByRole('button', { name: 'Resend code', exact: true });

  await page.route('**/auth/v1/resend', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure' } }),
  );
  await resend.click();
  await expect(page.getByText('Failed to resend code')).toBeVisible();
  await page.unroute('**/auth/v1/resend');

  await page.route('**/auth/v1/resend', (route) => route.fulfill({ status: 200, json: {} }));
  await resend.click();
  const toast = page.getByText(/Your new code is \d{6}/);
  await expect(toast).toBeVisible();
  await expect(page.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();
  // Ten seconds; the clock goes on by itself as well.
  await page.clock.fastForward(6_000);
  await expect(toast).toBeVisible();
  await page.clock.fastForward(5_000);
  await expect(toast).toBeHidden();

  // A response that comes after the verification was canceled does not bring it back.
  await page.clock.fastForward('01:01');
  const { promise: isLate, resolve: respond } = Promise.withResolvers<void>();
  await page.route('**/auth/v1/resend', async (route) => {
    await isLate;
    await route.fulfill({ status: 200, json: {} });
  });
  const response = page.waitForResponse('**/auth/v1/resend');
  await resend.click();
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await page.getByLabel('Email').fill('corrected@example.com');
  respond();
  await (await response).finished();
  await page.clock.runFor(1_000);
  expect(await page.evaluate(() => sessionStorage.getItem('reunite_pending_verification'))).toBeNull();
  await expect(page.getByLabel('Email')).toHaveValue('corrected@example.com');
});

test('a screen that waits for a code continues when another tab signs in', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  const { session } = await newOwner();
  await registerWith(page, newTagCode());
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
  const another = await page.context().newPage();
  await another.goto('/faq');
  await another.evaluate((stored) => localStorage.setItem('reunite_supabase_auth', stored), JSON.stringify(session));
  await expect(page).not.toHaveURL(/\/auth/);
  expect(await page.evaluate(() => sessionStorage.getItem('reunite_pending_verification'))).toBeNull();
});

test('a pasted code fills every box, and without a pending registration the screen says what is missing', {
  tag: '@rest',
}, async ({ page }) => {
  await registerWith(page, newTagCode());
  // As where the browser has emptied its storage.
  await page.evaluate(() => sessionStorage.clear());
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '123 456');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }),
    );
  });
  await expect(page.getByRole('textbox').last()).toHaveValue('6');
  await expect(page.getByText('Missing verification email or password')).toBeVisible();
  await expect(page.getByText('Verification failed')).toBeVisible();
});

test('a service that fails is not blamed on the code', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  await registerWith(page, newTagCode());
  await page.route('**/auth/v1/verify', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'no' } }),
  );
  await page.keyboard.type('123456');
  await expect(page.getByText('Failed to verify code')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText('We couldn’t check the code. Please try again in a moment.');
});

test('a registration that failed is reported in the alert', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  await page.route('**/auth/v1/signup**', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'no' } }),
  );
  const code = newTagCode();
  await page.goto('/auth?mode=register');
  await page.getByLabel('Full name').fill('Noa Bar');
  await page.getByLabel('Email').fill(addressOf(code));
  await page.getByLabel('Phone number').fill('0509999999');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('alert')).toHaveText('Registration failed. Please try again.');
});

test('leaving the verification keeps what was typed, and a code in transit is not sent twice', async ({ page }) => {
  const code = newTagCode();
  const phone = await registerWith(page, code);
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Dana Levi');
  await expect(page.getByLabel('Email')).toHaveValue(addressOf(code));
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue(phone);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password);

  // As the service refuses within the minute between two codes.
  await refuseForGap(page, '**/auth/v1/signup**', 'over_sms_send_rate_limit');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
  await expect(page.getByText(/We already sent you a code.* in \d+ s\./)).toBeVisible();
  await expect(page.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();
  // The code of the first registration is the one that counts.
  await page.keyboard.type('123456');
  await expect(page).toHaveURL(new RegExp(`/item/${code}`));
});

test('a correction while a code is on its way says in how many seconds it can be saved', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await registerWith(page, newTagCode());
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await page.getByLabel('Full name').fill('Dana Levy');
  // As the service refuses where it hides which addresses have accounts.
  await refuseForGap(page, '**/auth/v1/signup**', 'over_sms_send_rate_limit');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('alert')).toHaveText(/Your changes aren’t saved yet: .* in 42 s\./);
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeHidden();
});

test('a correction that the service stored goes on with the code that was sent before', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await registerWith(page, newTagCode());
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await page.getByLabel('Full name').fill('Dana Levy');
  await page.route('**/auth/v1/signup**', async (route) => {
    const response = await route.fetch();
    const user = await response.json();
    // As the service responds within the minute between two codes.
    user.app_metadata.confirmation_resend_seconds = 42;
    await route.fulfill({ response, json: user });
  });
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
  await expect(page.getByText(/We already sent you a code\. .* in \d+ s\./)).toBeVisible();
  await expect(page.getByRole('button', { name: /Resend code in (4[0-2]|3\d) s/ })).toBeDisabled();
});

test('signing in to an account that waits for its code claims no fresh one within the gap', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  const code = newTagCode();
  const phone = await registerWith(page, code);
  await page.keyboard.type('000000');
  await expect(page.getByRole('alert')).toHaveText('Invalid verification code');
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await page.getByRole('link', { name: 'Already have an account' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await refuseForGap(page, '**/auth/v1/resend**', 'over_sms_send_rate_limit');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText(/We already sent you a code\. .* in \d+ s\./)).toBeVisible();
  await expect(page.getByRole('button', { name: /Resend code in (4[0-2]|3\d) s/ })).toBeDisabled();
  // The number and the wrong code of before are not forgotten.
  await expect(page.getByText(new RegExp(`sent to .*${phone.slice(-4)}`))).toBeVisible();
  const pending = await page.evaluate(() => sessionStorage.getItem('reunite_pending_verification'));
  expect(JSON.parse(pending ?? '')).toMatchObject({ wrongCodes: 1 });
});

test('a code that cannot be sent as a text says so beside the button, until another is asked for', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await page.clock.install();
  await registerWith(page, newTagCode());
  await page.clock.fastForward('01:01');
  const headers = { 'X-Supabase-Api-Version': '2024-01-01' };
  const json = { code: 'sms_held_back' };
  await page.route('**/auth/v1/resend', (route) => route.fulfill({ status: 400, headers, json }));
  await page.getByRole('button', { name: 'Resend code', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('We can’t send texts to this number right now.');
  await page.clock.fastForward(20_000);
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unroute('**/auth/v1/resend');
  await page.route('**/auth/v1/resend', (route) => route.fulfill({ status: 200, json: {} }));
  await page.getByRole('button', { name: 'Resend code', exact: true }).click();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('after a reload, leaving the verification still keeps the name, the email, and the number', {
  tag: '@one-width',
}, async ({ page }) => {
  const code = newTagCode();
  const phone = await registerWith(page, code);
  await page.reload();
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Dana Levi');
  await expect(page.getByLabel('Email')).toHaveValue(addressOf(code));
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue(`+972${phone.slice(1)}`);
});

test('after five wrong codes the screen says that the code is used up, and a new one works', { tag: '@rest' }, async ({
  page,
}) => {
  await page.clock.install();
  const code = newTagCode();
  await registerWith(page, code);
  await expect(page.getByText(/^Your verification code is \d{6}$/)).toBeVisible();
  const enter = async (digits: string) => {
    await page.getByRole('textbox').first().focus();
    await page.keyboard.press('ControlOrMeta+a');
    await Promise.all([page.waitForResponse('**/auth/v1/verify'), page.keyboard.type(digits)]);
  };
  for (let guess = 1; guess < 5; guess++) {
    await enter('000000');
    await expect(page.getByRole('alert')).toHaveText('Invalid verification code');
  }
  await enter('000000');
  await expect(page.getByRole('alert')).toHaveText(/^Invalid verification code\. After 5 wrong tries .* Resend/);
  const current = page.getByRole('definition').first();
  await expect(current).toHaveText('Used up');

  await page.clock.fastForward('01:01');
  await page.getByRole('button', { name: 'Resend code', exact: true }).click();
  const notice = page.getByText(/^Your new code is \d{6}$/);
  await expect(notice).toBeVisible();
  const fresh = /\d{6}/.exec((await notice.textContent()) ?? '')?.[0] ?? '';
  await expect(current).toHaveText(fresh);
  await enter(fresh);
  await page.clock.fastForward(1_000);
  await expect(page).toHaveURL(new RegExp(`/item/${code}`));
});

test('the email is carried between the forms, and an email with an account leads to signing in with it', {
  tag: '@one-width',
}, async ({ page, newOwner, service }) => {
  const { email: taken, session } = await newOwner();
  await proveAddress(service, session.user.id);
  await page.goto('/auth?mode=login');
  // What is typed before the script runs is only read when the form is submitted.
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  await page.getByLabel('Email').fill(taken);
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(taken);
  await page.getByLabel('Full name').fill('Noa Bar');
  await page.getByLabel('Phone number').fill('0509999999');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('link', { name: 'Sign in with this email' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(taken);
});

test('a signed-in user sees no form on the way to the dashboard', { tag: '@one-width' }, async ({ page, newOwner }) => {
  await newOwner(page);
  // What the server sends, before any script.
  expect(await (await page.request.get('/auth')).text()).not.toMatch(/<h1[^>]*>Welcome back/);
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => seen.add(document.querySelector('h1')?.textContent ?? '')).observe(document, {
      childList: true,
      subtree: true,
    });
  });
  await page.goto('/auth');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  expect(await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])).not.toContain(
    'Welcome back',
  );
});

test('the form is shown if the hint remains of a session that has ended', { tag: ['@one-width', '@rest'] }, async ({
  page,
  service,
}) => {
  await page.context().addCookies([{ name: 'reunite_signed_in', value: '1', url: service.url }]);
  await page.goto('/auth');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
});

test('on a phone the page can be scrolled clear of a notice', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const notice = page.getByRole('dialog').filter({ hasText: 'Failed to sign in' });
  await expect(notice).toBeVisible();
  const gapBelow = async (name: string, end: 'start' | 'end') => {
    await page.evaluate((to) => scrollTo(0, to === 'start' ? 0 : document.body.scrollHeight), end);
    const [link, above] = await Promise.all([page.getByRole('link', { name }).boundingBox(), notice.boundingBox()]);
    return (link?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0));
  };
  await expect.poll(() => gapBelow('Back', 'start')).toBeGreaterThanOrEqual(0);
  await expect.poll(() => gapBelow('FAQ', 'end')).toBeGreaterThan(0);
});
