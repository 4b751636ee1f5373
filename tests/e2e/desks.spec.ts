import { runCommandLine } from '#tools/operator/run-command-line.ts';
import { proveAddress } from './support/prove-address.ts';
import { expect, test } from './support/test.ts';

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with a script' : 'without a script';
  test(`an operator adds a desk, a finder taps that they handed the item in there, and the owner collects it, ${how}`, {
    tag: '@rest',
  }, async ({ page: owner, newOwner, service, outbox, browser, baseURL }) => {
    const { code, email, session } = await newOwner(owner);
    await proveAddress(service, session.user.id);
    let printed = '';
    const operate = async (...words: string[]) => {
      printed = '';
      const exit = await runCommandLine(['desks', ...words, '--json'], {
        env: { DATA_DIRECTORY: service.dataDirectory },
        stdout: { write: (text) => (printed += text) },
        stderr: { write: (text) => (printed += text) },
      });
      expect(exit, printed).toBe(0);
      return JSON.parse(printed);
    };
    const values = ['--name', 'Central station', '--place', 'Hall 2', '--zone', 'UTC', '--phone', '+49 30 1234567'];
    const { saved } = await operate('add', ...values, '--hours', 'mon-sun 0-24');
    try {
      const visitor = await browser.newPage();
      await newOwner(visitor);
      await visitor.goto(`/item/${code}`);
      await expect(visitor.getByText('Always open'), 'also for a signed-in visitor').toBeVisible();
      await expect(visitor.getByRole('button', { name: 'I handed it in there' })).toBeVisible();
      await visitor.close();
      await owner.goto(`/item/${code}`);
      const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }), javaScriptEnabled });
      const finder = await context.newPage();
      await finder.goto(`/${code}`);
      await expect(finder.getByText('Always open')).toBeVisible();
      const top = async (text: string) => (await finder.getByText(text, { exact: true }).boundingBox())?.y ?? 0;
      expect(await top('Hall 2'), 'the place is below the name').toBeGreaterThan((await top('Central station')) + 10);
      // A page that is kept for everyone has no id of a message: the script lets one tap through.
      const tap = finder.getByRole('button', { name: 'I handed it in there' });
      await (javaScriptEnabled ? tap.dblclick() : tap.click());
      const said = /I handed it in at a lost and found: .*Central station, Hall 2/;
      await expect(finder.getByRole('log').getByText(said)).toBeVisible();
      await context.close();

      await expect(owner.getByText(said).first()).toBeVisible();
      await expect(owner.getByRole('link', { name: '+49 30 1234567' })).toHaveAttribute('href', 'tel:+49301234567');
      const shown = owner.getByText(/At the desk, show your return code: \S+/);
      await expect(shown).toBeVisible();
      const returnCode = (await shown.textContent())?.split(': ')[1] ?? 'none';
      const mails = async () => JSON.stringify((await outbox()).filter(({ recipient }) => recipient === email));
      await expect.poll(mails).toContain('+49 30 1234567');
      // It opens the finder's conversation, and a mailbox alone must not.
      expect(await mails()).not.toContain(returnCode);
    } finally {
      await operate('remove', saved);
    }
  });
}
