import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeSecrets } from '#server/start/secrets.ts';

// Prints new secrets for a production server, one variable per line. With `--into FOLDER`, writes each to a file of its
// own, as containers mount them: `NAME_FILE` is then the path of the file. It never replaces a file.
const { into } = parseArgs({ options: { into: { type: 'string' } } }).values;
const { jwtKeys, refreshTokenSecret, publishableKey, secretKey, pushKey } = await makeSecrets();
const secrets = {
  JWT_KEYS: JSON.stringify(jwtKeys),
  REFRESH_TOKEN_SECRET: refreshTokenSecret,
  PUBLISHABLE_KEY: publishableKey,
  SECRET_KEY: secretKey,
  VAPID_PRIVATE_KEY: pushKey,
};
if (into !== undefined) await mkdir(into, { recursive: true, mode: 0o700 });
for (const [name, value] of Object.entries(secrets)) {
  if (into === undefined) console.log(`${name}='${value}'`);
  else await writeFile(join(into, name.toLowerCase()), `${value}\n`, { mode: 0o600, flag: 'wx' });
}
