import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { startCluster } from '#tests/support/clusters/start-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';

const run = promisify(execFile);
const script = resolve(import.meta.dirname, '../../deploy/create-database.sh');
const programs = process.env.POSTGRES_15_BIN;

test.skipIf(programs === undefined).each(['in a file', 'in the environment'])(
  'the script for PostgreSQL’s image makes an account and a database that migrate; a password %s may hold quotes',
  async (way) => {
    const cluster = await startCluster('debian-15');
    onTestFinished(cluster.stop);
    const { host, port } = cluster.address;
    const create = (env: NodeJS.Dict<string>) =>
      run('sh', [script], { env: { PATH: `${programs}:/usr/bin:/bin`, PGHOST: host, PGPORT: String(port), ...env } });
    const folder = await temporaryFolder();
    // PostgreSQL's account cannot read the file of the secret: no account without a password is made.
    await expect(create({ DATABASE_PASSWORD_FILE: join(folder, 'nothing') })).rejects.toThrow('nothing');
    const empty = join(folder, 'empty');
    await writeFile(empty, '\n');
    await expect(create({ DATABASE_PASSWORD_FILE: empty })).rejects.toThrow('The password of the database is empty.');
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, 'it\'s a "pass\\word";\n');
    await create(
      way === 'in a file' ? { DATABASE_PASSWORD_FILE: passwordFile } : { DATABASE_PASSWORD: 'it\'s a "pass\\word";' },
    );
    const address = { host, port, user: 'reunite', password: 'it\'s a "pass\\word";', database: 'reunite' };
    const applied = await migrate({ address, directory: DATABASE_FOLDER, log: quietLog });
    expect(applied.length).toBeGreaterThan(0);
  },
);
