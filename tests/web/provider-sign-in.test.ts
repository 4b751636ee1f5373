import { expect, test } from 'vitest';
import { expectPage } from '#tests/support/expect-page.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { startOidcProvider } from '#tests/support/oidc/start-oidc-provider.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openBrowser } from './support/open-browser.ts';

const database = await createTestDatabase();
const port = await ownPort();
const provider = await startOidcProvider({ id: 'example', redirectUri: `http://localhost:${port}/auth/v1/callback` });
const server = await startTestServer(database, {
  port,
  environment: { OIDC_PROVIDERS: JSON.stringify([provider.settings]) },
});

const visit = await openBrowser();

test('in a real browser: one press, the provider, and the dashboard', () =>
  visit(async ({ page }) => {
    const email = anEmail();
    provider.person = { sub: 'olive', email, email_verified: true, name: 'Olive Owner' };
    await page.goto(`${server.url}/auth?mode=login`);
    await page.getByRole('button', { name: 'Continue with The example provider' }).click();
    await page.waitForURL(`${server.url}/dashboard`);
    expect(await database.query('select email from auth.users')).toEqual([{ email }]);
    expect(await database.query('select count(*)::integer as sessions from auth.sessions')).toEqual([{ sessions: 1 }]);
  }));

test('a refusal by the provider is shown, and the user may try another way', () =>
  visit(async ({ page }) => {
    provider.person = null;
    await page.goto(`${server.url}/auth?mode=login`);
    await page.getByRole('button', { name: 'Continue with The example provider' }).click();
    await page.waitForURL(`${server.url}/auth/callback**`);
    await expectPage(page.getByText('The sign-in was canceled, or the other service didn’t allow it.')).toBeVisible();
  }));
