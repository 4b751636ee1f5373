import { DESKS } from '#domain/contact/phrases.ts';
import { words as hebrew } from '#domain/words/compiled/he/index.ts';
import { words as japanese } from '#domain/words/compiled/ja/index.ts';
import { expect, test } from './support/test.ts';

const { phrases: said, taps: tapsOf } = japanese;
const { phrases: read, taps: readTaps, itemPage } = hebrew;

/** Letters that Japanese is written with. */
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;

const HEBREW = /[\u0590-\u05ff]/;

/** Words of whole English phrases: names and the page's few loanwords are none. */
const ENGLISH = [
  ...['I have it', 'I left it', 'I saw it', 'Where is it', 'Please', 'Thank you', 'Is it still', 'handed it in'],
  ...['Quick', 'quick messages', 'Written in', 'Send', 'Yes'],
];

test.use({ locale: 'he-IL' });

/** What a sentence has before its parameter. */
const beginningOf = (sentence: (parameter: string) => string) => sentence('\n').split('\n')[0] ?? '';

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with a script' : 'without a script';
  test(`a Hebrew owner and a Japanese finder come from the scan to "returned" without a typed word, ${how}`, async ({
    page: ownersPage,
    newOwner,
    browser,
    baseURL,
  }, { project }) => {
    const { code, client } = await newOwner(ownersPage);
    await client.from('items').update({ item_name: '' }).eq('qr_id', code);
    await ownersPage.goto(`/item/${code}`);
    const { viewport, isMobile, hasTouch, deviceScaleFactor } = project.use;
    const context = await browser.newContext({
      ...(baseURL !== undefined && { baseURL }),
      ...(viewport !== undefined && { viewport }),
      ...(isMobile !== undefined && { isMobile }),
      ...(hasTouch !== undefined && { hasTouch }),
      ...(deviceScaleFactor !== undefined && { deviceScaleFactor }),
      locale: 'ja-JP',
      timezoneId: 'Asia/Tokyo',
      javaScriptEnabled,
    });
    const finder = await context.newPage();
    finder.setDefaultTimeout(20_000);
    const owner = ownersPage;
    const log = finder.getByRole('log');
    const thread = owner.locator('section[tabindex="0"]').first();
    const fresh = async () => {
      if (javaScriptEnabled) return;
      // It is on the owner's screen before it is sent.
      await expect(owner.getByText(itemPage.threads.sending)).toHaveCount(0);
      await finder.goto(`/item/${code}`);
    };

    await finder.goto(`/${code}`);
    await finder.getByRole('button', { name: tapsOf.taps.buttons.have_it }).click();
    await expect(log.getByText(tapsOf.taps.said.have_it)).toBeVisible();
    await expect(owner.getByText(readTaps.taps.said.have_it).first()).toBeVisible();

    await owner.getByRole('button', { name: read.owner.stillThere }).click();
    await expect(thread.getByText(read.owner.stillThere)).toBeVisible();
    await fresh();
    await expect(log.getByText(said.owner.stillThere)).toBeVisible();
    await finder.getByRole('button', { name: said.finder.yes, exact: true }).click();
    await expect(thread.getByText(read.finder.yes, { exact: true })).toBeVisible();

    await finder.getByRole('link', { name: said.more }).click();
    await finder.getByText(said.finder.hereUntil.button).click();
    await finder.locator('#here_until-moment').fill('2026-12-01T09:00');
    const zone = finder.locator('details[open] select');
    if (javaScriptEnabled) await expect(zone).toHaveCount(0);
    else await zone.selectOption('Asia/Tokyo');
    await finder.locator('details[open]').getByRole('button', { name: tapsOf.taps.sendTap }).click();
    await expect(log.getByText(/12月1日\(火\) 9:00/)).toBeVisible();
    // The owner's clock: that of the browser that runs the tests.
    await expect(thread.getByText(beginningOf(read.finder.hereUntil.said))).toBeVisible();

    await owner.getByRole('button', { name: read.owner.come.button }).click();
    await owner.getByLabel(read.fields.when).fill('2026-12-01T08:30');
    await owner.getByLabel(read.fields.when).locator('xpath=ancestor::form').getByRole('button').click();
    await expect(thread.getByText(beginningOf(read.owner.come.saidWhen))).toBeVisible();
    await fresh();
    await expect(log.getByText(beginningOf(said.owner.come.saidWhen))).toBeVisible();

    await finder.getByRole('link', { name: said.more }).click();
    await finder.getByText(said.finder.handedIn.button).click();
    const [, , , reception] = DESKS;
    await finder.getByRole('button', { name: said.finder.handedIn.choices[reception] }).click();
    await expect(log.getByText(said.finder.handedIn.said.reception)).toBeVisible();
    await expect(thread.getByText(read.finder.handedIn.said.reception)).toBeVisible();

    await owner.getByRole('button', { name: beginningOf(itemPage.threads.takeBack) }).click();
    const sheet = owner.getByRole('dialog', { name: itemPage.takingBack.title });
    await sheet.getByRole('button', { name: itemPage.takingBack.done }).click();
    await expect(sheet).toBeHidden();
    await fresh();
    await expect(log.getByText(said.finder.thanks, { exact: true })).toBeVisible();
    await expect(finder.locator('[data-returned]')).toBeVisible();

    const [seen, shown] = await Promise.all([owner, finder].map((page) => page.locator('body').innerText()));
    expect(seen).not.toMatch(JAPANESE);
    expect(shown).not.toMatch(HEBREW);
    for (const texts of [seen, shown]) expect(ENGLISH.filter((words) => texts?.includes(words))).toEqual([]);
    await context.close();
  });
}
