import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { readConfig } from '#server/config.ts';
import { readRunning } from '#server/data-folder/running-file.ts';
import { OperatorError } from '#server/operator-error.ts';
import { loadSecrets, readStoredSecrets } from '#server/start/secrets.ts';

/** A service and its secret key. */
export interface ServiceConnection {
  /** Where it is reached. */
  readonly url: string;
  /** The origin of its pages. */
  readonly publicUrl: string;
  /** The origin of the links on stickers. */
  readonly stickerUrl: string;
  readonly secretKey: string;
  /** The official client with the secret key. */
  readonly client: SupabaseClient;
}

/**
 * Connects to the service in `PUBLIC_URL` and `SECRET_KEY`, or to the development server running on this machine's data
 * folder. With `NODE_ENV=production`, the secret key can be the one that the server has made. `STICKER_URL` has to be that of the service. With `SERVICE_IS_LOCAL`, the service is reached at `PORT` of this
 * machine, as in a container, from which its public address may lead nowhere. Throws an OperatorError that says what is
 * missing.
 */
export async function connectToService(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServiceConnection> {
  const found = (await namedService(environment)) ?? (await developmentService(environment));
  const { url, secretKey } = found;
  const client = createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } });
  return { ...found, client };
}

type Found = Omit<ServiceConnection, 'client'>;

async function namedService(environment: NodeJS.Dict<string>): Promise<Found | null> {
  const { PUBLIC_URL, STICKER_URL, PORT, SERVICE_IS_LOCAL } = environment;
  const SECRET_KEY = environment.SECRET_KEY || (await madeSecretKey(environment));
  if (!PUBLIC_URL && !SECRET_KEY) return null;
  const missing = PUBLIC_URL ? 'SECRET_KEY' : 'PUBLIC_URL';
  if (!PUBLIC_URL || !SECRET_KEY)
    throw new OperatorError(`${missing} is missing. To name a service, set both PUBLIC_URL and SECRET_KEY.`);
  // Parsed like the server's own configuration, for the same error messages.
  const { publicUrl, stickerUrl, port } = readConfig({ PUBLIC_URL, STICKER_URL, SECRET_KEY, PORT });
  const url = SERVICE_IS_LOCAL === 'true' ? `http://127.0.0.1:${port}` : publicUrl;
  return { url, publicUrl, stickerUrl, secretKey: SECRET_KEY };
}

async function madeSecretKey({ NODE_ENV, DATA_DIRECTORY }: NodeJS.Dict<string>): Promise<string | undefined> {
  if (NODE_ENV !== 'production') return undefined;
  return readStoredSecrets(readConfig({ DATA_DIRECTORY }).dataDirectory)?.secretKey;
}

async function developmentService({ DATA_DIRECTORY, STICKER_URL }: NodeJS.Dict<string>): Promise<Found> {
  const config = readConfig({ DATA_DIRECTORY });
  const running = await readRunning(config.dataDirectory);
  if (running === null) {
    throw new OperatorError(
      'No development server runs from this folder. Start one with `npm start`, ' +
        'or name another service with PUBLIC_URL and SECRET_KEY.',
    );
  }
  const { stickerUrl } = readConfig({ PUBLIC_URL: running.url, STICKER_URL });
  return { url: running.url, publicUrl: running.url, stickerUrl, secretKey: (await loadSecrets(config)).secretKey };
}
