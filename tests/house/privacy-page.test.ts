import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { privacyPage } from '#domain/texts/pages/privacy-page.ts';
import { privacy } from '#domain/words/compiled/en/privacy.ts';

const root = join(import.meta.dirname, '../..');

/** The files that set cookies, and how the privacy page describes each file's cookies. */
const COOKIES: Readonly<Record<string, readonly RegExp[]>> = {
  'app/client/browser-client.ts': [/A cookie that says “signed in”/],
  'app/features/finder/enhance/finder-script.ts': [/A cookie that says “signed in”/],
  'server/auth/oidc/browser-cookie.ts': [/sign in with another service: a cookie .* for 10 minutes/],
  'server/auth/sessions/device-cookies.ts': [/cookie with a random number .* 400 days/, /wait for a code: a cookie/],
  'server/web/finder/conversation-routes.ts': [/return code or a private link: a cookie with its key, .* 90 days/],
  'server/web/language/language-routes.ts': [/Once you have chosen a language: a cookie with it, for 365 days/],
  'server/web/finder/finder-routes.ts': [/Once you have written to an owner, .*: a cookie with its key, .* 90 days/],
};

test('the privacy page describes every cookie that is set', () => {
  const setters = ['app', 'domain', 'server']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => /setCookie\(|'Set-Cookie'|document\.cookie = /.test(readFileSync(join(root, path), 'utf8')));
  expect(setters.toSorted()).toEqual(Object.keys(COOKIES).toSorted());

  const { sections } = privacyPage(privacy, 'en', {
    hasMail: true,
    productName: 'Reunite',
    codeLifeSeconds: 600,
    codeGapSeconds: 60,
    linkLifeSeconds: 3_600,
    auditLogDays: 365,
    keepRemovedHours: 24,
  });
  const kept = sections.find(({ title }) => title === 'What your browser keeps')?.points ?? [];
  for (const described of Object.values(COOKIES).flat()) {
    expect(
      kept.some((point) => described.test(point)),
      String(described),
    ).toBe(true);
  }
});
