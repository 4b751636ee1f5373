import { expect, test } from 'vitest';
import { notifyOperatorOfReport } from '#server/jobs/operator/notify-operator-of-report.ts';
import { sendReportDigest } from '#server/jobs/operator/report-digest.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const OPERATOR = 'operator@lost.example.org';

function workingWith(operatorEmail: string | null) {
  const caught = catchDelivery();
  const dependencies = dependenciesForJobs(database.address, caught);
  return { caught, needs: { ...dependencies, config: { ...dependencies.config, operatorEmail } } };
}

async function newReport(code: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    "insert into internal.reports (kind, qr_id) values ('abuse', $1) returning id",
    [code],
  );
  return row?.id ?? '';
}

const digests = () =>
  database.query<{ key: string; run_at: Date }>(
    "select key, run_at from graphile_worker.jobs where task_identifier = 'send_report_digest'",
  );

test('beyond the limits, reports wait for one email at the end of the day', async () => {
  const { caught, needs } = workingWith(OPERATOR);
  for (let at = 0; at < 2; at += 1) await notifyOperatorOfReport(needs, await newReport('tgt-flooded'));
  expect(caught.emails).toHaveLength(2);
  expect(await digests()).toHaveLength(0);
  for (let at = 0; at < 3; at += 1) await notifyOperatorOfReport(needs, await newReport('tgt-flooded'));
  expect(caught.emails).toHaveLength(2);
  // Another page still gets its email.
  await notifyOperatorOfReport(needs, await newReport('tgt-other'));
  expect(caught.emails).toHaveLength(3);

  const [digest, ...others] = await digests();
  expect(others).toEqual([]);
  expect(digest?.run_at.getTime()).toBeGreaterThan(Date.now());
  expect(digest?.run_at.getUTCHours()).toBe(0);
  await sendReportDigest(needs, { day: '2026-01-01' });
  expect(caught.emails.at(-1)?.text).toContain('6 open reports');
  await database.query('update internal.reports set closed_at = now()');
  await sendReportDigest(needs, { day: '2026-01-02' });
  expect(caught.emails).toHaveLength(4);
  await needs.database.close();
});

test('however many reports others get, the first of another page is mailed', async () => {
  const { caught, needs } = workingWith(OPERATOR);
  for (let at = 0; at < 24; at += 1) await notifyOperatorOfReport(needs, await newReport(`tgt-flood-${at % 12}`));
  const before = caught.emails.length;
  await notifyOperatorOfReport(needs, await newReport('tgt-honest'));
  expect(caught.emails).toHaveLength(before + 1);
  expect(caught.emails.at(-1)?.text).toContain('tgt-honest');
  await needs.database.close();
});

test('a report of a finder is mailed as such, and as the first although its page was reported before', async () => {
  const { caught, needs } = workingWith(OPERATOR);
  const page = await newReport('tgt-of-both');
  const [owner] = await database.query<{ id: string }>('insert into auth.users default values returning id');
  const [finder] = await database.query<{ id: string }>(
    "insert into internal.reports (kind, qr_id, body, reported_by) values ('fraud', 'tgt-of-both', $1, $2) returning id",
    ['They want <b>money</b>', owner?.id],
  );
  // Nothing is left for further reports of the tag code.
  await needs.limits.take('further_report_emails_per_tag', 'tgt-of-both');
  await notifyOperatorOfReport(needs, page);
  await notifyOperatorOfReport(needs, finder?.id ?? '');
  const mail = caught.emails.at(-1);
  expect(mail).toMatchObject({ to: OPERATOR, subject: 'An owner reported a finder on Reunite' });
  expect(mail?.text).toContain('They want <b>money</b>');
  expect(mail?.text).toContain(`reports show ${finder?.id}`);
  expect(mail?.html).not.toContain('<b>money');
  expect(`${mail?.text}${mail?.html}`).not.toContain(owner?.id);
  await needs.database.close();
});

test('nothing is sent of a closed report, or without an address of the operator', async () => {
  const { caught, needs } = workingWith(OPERATOR);
  const closed = await newReport('tgt-closed');
  await database.query('update internal.reports set closed_at = now() where id = $1', [closed]);
  await notifyOperatorOfReport(needs, closed);
  const without = workingWith(null);
  await notifyOperatorOfReport(without.needs, await newReport('tgt-open'));
  await sendReportDigest(without.needs, { day: '2026-01-03' });
  expect([...caught.emails, ...without.caught.emails]).toEqual([]);
  await needs.database.close();
  await without.needs.database.close();
});

test('an email that the mail server refuses is tried again, and costs nothing of the limits', async () => {
  const { caught, needs } = workingWith(OPERATOR);
  const report = await newReport('tgt-refused');
  caught.down = true;
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(notifyOperatorOfReport(needs, report)).rejects.toThrow();
  caught.down = false;
  await notifyOperatorOfReport(needs, report);
  expect(caught.emails).toHaveLength(1);
  await needs.database.close();
});

test('reports of pages keep back no first report of a finder', async () => {
  const { caught, needs } = workingWith(OPERATOR);
  for (let at = 0; at < 30; at += 1) await notifyOperatorOfReport(needs, await newReport(`tgt-of-many-${at}`));
  const [owner] = await database.query<{ id: string }>('insert into auth.users default values returning id');
  const [finder] = await database.query<{ id: string }>(
    "insert into internal.reports (kind, qr_id, reported_by) values ('fraud', 'tgt-of-few', $1) returning id",
    [owner?.id],
  );
  await notifyOperatorOfReport(needs, finder?.id ?? '');
  expect(caught.emails.at(-1)?.text).toContain(`reports show ${finder?.id}`);
  await needs.database.close();
});
