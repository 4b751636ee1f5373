import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { giveUp, say } from './say.mjs';

const FOLDER = '/usr/lib/postgresql/15/bin';
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf';

/**
 * Returns the programs of PostgreSQL 15, the oldest supported version, or null with a warning where they are
 * unavailable.
 */
export function findPostgres15() {
  const named = process.env.POSTGRES_15_BIN;
  if (named) return isThere(named) ? named : giveUp(`POSTGRES_15_BIN names ${named}, where there is no postgres.`);
  if (isThere(FOLDER)) return FOLDER;
  if (canInstallDebianPackages()) {
    if (!existsSync(CLUSTER_SETTINGS)) {
      say(`Writing ${CLUSTER_SETTINGS}, so that PostgreSQL 15 starts no server when it is installed …`);
      mkdirSync('/etc/postgresql-common', { recursive: true });
      writeFileSync(CLUSTER_SETTINGS, 'create_main_cluster = false\n');
    }
    const failure = installDebianPackages(['postgresql-15'], {
      purpose: 'the oldest PostgreSQL that is supported, for the tests',
    });
    if (isThere(FOLDER)) return FOLDER;
    process.stderr.write(failure ?? '');
  }
  const line = '*'.repeat(78);
  say(
    `${line}\nPostgreSQL 15 is not here and cannot be installed: its tests are SKIPPED.\nInstall postgresql-15, or name its programs with POSTGRES_15_BIN.\n${line}`,
  );
  return null;
}

function isThere(folder) {
  return existsSync(join(folder, 'postgres'));
}
