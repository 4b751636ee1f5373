import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createLog } from '#server/log/create-log.ts';
import { makeSecrets } from '#server/start/secrets.ts';
import { startService } from '#server/start/start-service.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { productionEnvironment } from '#tests/support/production-environment.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase();

test('a part that fails to stop does not keep the others from stopping', async () => {
  const secrets = await makeSecrets();
  const environment = productionEnvironment({ port: await ownPort(), secrets });
  const service = await startService({
    config: readConfig({ ...environment, DATA_DIRECTORY: await temporaryFolder() }),
    log: createLog({ level: 'error', destination: { write: () => undefined } }),
    root: process.cwd(),
    address: database.address,
    secrets,
    delivery: { ...catchDelivery(), settled: () => Promise.reject(new Error('It never settles.')) },
  });
  const connections = () =>
    database.query(
      "select from pg_stat_activity where datname = current_database() and application_name like 'reunite%'",
    );
  expect(await connections()).not.toEqual([]);
  await expect(service.stop({ requestsMs: 1_000, uploadsMs: 1_000 })).rejects.toThrow('It never settles.');
  await expect.poll(connections).toEqual([]);
});
