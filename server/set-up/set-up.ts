import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPasswordHasher, TURN_OF_SERVICE } from '#server/auth/accounts/passwords.ts';
import { type Config, ConfigError, readConfig, readEnvironment } from '#server/config.ts';
import { listen } from '#server/http/listen.ts';
import { createLog } from '#server/log/create-log.ts';
import type { PassSignals } from '#server/processes/hold-signals.ts';
import { storeSettings } from '#server/settings/stored-settings.ts';
import { type Asked, offeredSettings } from './missing-settings.ts';
import { setUpRoutes, type ToStore } from './set-up-routes.ts';

export interface SetUpWith {
  /** What is known before the set-up: where to listen, and where to store. */
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly asked: ReadonlySet<Asked>;
  readonly passSignals: PassSignals;
}

const TOKEN_BYTES = 24;
/** How long responses in progress may take when the service takes over the port. */
const DRAIN_MS = 1_000;
/** Sockets are not part of it. */
const NO_SOCKETS = { maxPayload: 1, maxFragments: 1, maxBufferedChunks: 1, closeTimeout: DRAIN_MS };

/**
 * Waits, on the service's port, until a person has given the missing settings, and stores them. Its one-time address is
 * printed. A signal to stop ends the process meanwhile.
 *
 * The page stays until the returned function is called, and then leaves the port to the service at once.
 *
 * @throws OperatorError where the port is not available
 */
export async function setUp({ config, environment, asked, passSignals }: SetUpWith): Promise<() => void> {
  const log = createLog({ level: config.logLevel });
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const done = Promise.withResolvers<void>();

  const store = async ({ settings, operator }: ToStore) => {
    try {
      // By the rules of the environment, all of it together.
      const { publicUrl } = readConfig({ ...environment, ...settings });
      const isOurs = await storeSettings(config.dataDirectory, {
        ...settings,
        ...(operator !== null && {
          FIRST_OPERATOR: {
            email: operator.email,
            passwordHash: await createPasswordHasher().hash(operator.password, TURN_OF_SERVICE),
          },
        }),
      });
      done.resolve();
      return isOurs ? { publicUrl, isOurs } : { publicUrl: readConfig(readEnvironment(process.env)).publicUrl, isOurs };
    } catch (error) {
      // The message of a ConfigError could have what was typed in it.
      const about = error instanceof ConfigError ? { settings: error.names } : { err: error };
      log.error(about, 'What was typed on the set-up page could not be stored.');
      return null;
    }
  };
  const routes = setUpRoutes({
    token,
    productName: config.productName,
    defaultLanguage: config.defaultLanguage,
    asked,
    offered: offeredSettings(environment, {
      hasDatabase: existsSync(join(config.dataDirectory, 'postgres', 'PG_VERSION')),
    }),
    passwordRules: config,
    given: { ...pick(environment, 'SMTP_URL', asked), ...pick(environment, 'MAIL_FROM', asked) },
    store,
  });
  const listener = await listen({ fetch: routes.fetch, from: config, webSocketBounds: NO_SOCKETS });
  const base = asked.has('PUBLIC_URL') ? `http://localhost:${listener.port}` : config.publicUrl;
  process.stdout.write(
    `${config.productName} is not set up yet. To do so, open this address, with the name of this machine if you are elsewhere: ${base}/set-up/${token}\n`,
  );

  const end = () => process.exit(0);
  const holdAgain = passSignals({ SIGTERM: end, SIGINT: end, SIGHUP: end, disconnect: end });
  await done.promise;
  holdAgain();
  return () => void listener.close({ requestsMs: DRAIN_MS, uploadsMs: DRAIN_MS });
}

function pick(
  environment: SetUpWith['environment'],
  name: Asked,
  asked: ReadonlySet<Asked>,
): { readonly [Name in Asked]?: string } {
  const value = environment[name];
  return asked.has(name) || value === undefined ? {} : { [name]: value };
}
