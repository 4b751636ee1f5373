import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { temporaryFolder } from '../temporary-folder.ts';
import { whenDone } from '../when-done.ts';
import type { Credentials } from './signature.ts';

const PROGRAM = fileURLToPath(new URL('serve-swift.py', import.meta.url));

export interface Swift {
  readonly endpoint: string;
  readonly credentials: Credentials;
}

/**
 * Starts OpenStack Swift, an object store that others wrote and run, with one empty bucket. `python` is an interpreter that
 * has it, as Debian's package python3-swift brings it. It ends with the test.
 */
export async function startSwift(python: string, bucket: string): Promise<Swift> {
  const [account, user, secret] = ['reunite', 'tester', 'a+secret/of=ours'];
  const program = spawn(python, [PROGRAM, await temporaryFolder(), account, user, secret], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  whenDone(async () => {
    program.stdin.end();
    await ended;
  });
  const port = await Promise.race([
    once(createInterface(program.stdout), 'line').then(([line]) => String(line)),
    ended.then(([code]) => Promise.reject(new Error(`Swift ended at its start with the code ${code}.`))),
  ]);
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: `${account}:${user}`, secretAccessKey: secret };
  const client = new AwsClient({ ...credentials, service: 's3', region: 'eu-central-1' });
  const made = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`Swift made no bucket: ${made.status} ${await made.text()}`);
  return { endpoint, credentials };
}
