import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const web = await startTestServer(database, {
  environment: {
    PASSWORD_MINIMUM: '12',
    CODE_LIFE_SECONDS: '300',
    AUDIT_LOG_DAYS: '30',
    STORAGE_KEEP_REMOVED_HOURS: '48',
    LIMITS: 'sms_gap_per_account=1/120',
  },
});

const htmlOf = async (path: string) => (await web.request(path)).text();

test.each([
  ['/privacy', 'We erase photo files from the disk 2 days later'],
  ['/privacy', 'random number for 30 days'],
  ['/privacy', 'Codes work for 5 minutes'],
  ['/faq', 'Codes work for 5 minutes'],
  ['/faq', 'Wait 2 minutes'],
  ['/auth?mode=register', 'At least 12 characters'],
])('%s states a setting of this installation: %s', async (path, words) => {
  expect(await htmlOf(path)).toContain(words);
});
