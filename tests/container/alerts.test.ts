import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const rules = resolve(import.meta.dirname, '../../deploy/alerts.yaml');
const promtool = process.env.PROMTOOL;

test.skipIf(promtool === undefined)('Prometheus accepts the alert rules', async () => {
  const { stdout } = await promisify(execFile)(promtool ?? '', ['check', 'rules', rules]);
  expect(stdout).toContain('SUCCESS: 8 rules found');
});
