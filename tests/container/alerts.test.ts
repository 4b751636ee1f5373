import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const rules = resolve(import.meta.dirname, '../../deploy/alerts.yaml');
const promtool = process.env.PROMTOOL;

test.skipIf(promtool === undefined)('Prometheus accepts the alert rules', async () => {
  const { stdout } = await promisify(execFile)(promtool ?? '', ['check', 'rules', rules]);
  expect(stdout).toContain('SUCCESS: 17 rules found');
});

test.skipIf(promtool === undefined)('each alert is raised by what it is for, and by nothing else', async () => {
  const { stdout } = await promisify(execFile)(promtool ?? '', [
    'test',
    'rules',
    join(import.meta.dirname, 'alerts.yaml'),
  ]);
  expect(stdout).toContain('SUCCESS');
});
