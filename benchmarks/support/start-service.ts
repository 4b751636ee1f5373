import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '#server/postgres/embedded/free-port.ts';
import { makeSecrets, type Secrets } from '#server/start/secrets.ts';
import { openTokenKeys } from '#server/tokens/token-keys.ts';
import { serverOptions } from '#tools/launch/runtime.mjs';
import { type BenchmarkDatabase, connectionString } from './start-database.ts';
import { type Program, startProgram } from './start-program.ts';

export interface BenchmarkService {
  readonly program: Program;
  readonly port: number;
  readonly publishableKey: string;
  readonly secrets: Secrets;
  /** The file of its log. */
  readonly log: string;
  /** An access token of an hour, as the auth service gives out. */
  accessToken(claims: { readonly sub: string; readonly session_id: string }): Promise<string>;
}

export interface ServiceOptions {
  /** Options of the runtime itself, such as --cpu-prof. */
  readonly runtime?: readonly string[];
  /** Another, built copy of the project whose server is started instead. */
  readonly root?: string;
  /** Settings beside those of every benchmark. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Throws where the pages are not built. For a benchmark that prepares for long before it starts the service. */
export async function requireBuiltPages(): Promise<void> {
  await access(join(import.meta.dirname, '../../build/server/index.js')).catch((cause: unknown) => {
    throw new Error('The pages are not built yet. Build them with: npm run build', { cause });
  });
}

/** The whole product as in production: `server/main.ts`, with its access log written to a file. */
export async function startService(
  database: BenchmarkDatabase,
  { runtime = [], root, environment = {} }: ServiceOptions = {},
): Promise<BenchmarkService> {
  const port = await freePort();
  const secrets = await makeSecrets();
  const log = join(database.folder, `service-${randomUUID()}.log`);
  const { program } = await startProgram(['server/main.ts'], {
    environment: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      DATABASE_URL: connectionString(database.address),
      JWT_KEYS: JSON.stringify(secrets.jwtKeys),
      REFRESH_TOKEN_SECRET: secrets.refreshTokenSecret,
      PUBLISHABLE_KEY: secrets.publishableKey,
      SECRET_KEY: secrets.secretKey,
      // So that the load can come from many addresses.
      TRUSTED_PROXIES: '1',
      // Set because production requires it; nothing is sent.
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'benchmark@example.com',
      ...environment,
    },
    output: log,
    ready: / is ready at /,
    // As `npm start` runs it.
    runtime: [...serverOptions(), ...runtime],
    root,
  });
  const tokens = await openTokenKeys({
    jwtKeys: secrets.jwtKeys,
    issuer: `http://localhost:${port}/auth/v1`,
    now: Date.now,
  });
  return {
    program,
    port,
    publishableKey: secrets.publishableKey,
    secrets,
    log,
    async accessToken({ sub, session_id }) {
      const seconds = Math.floor(Date.now() / 1000);
      const standing = { iss: tokens.issuer, aud: 'authenticated', role: 'authenticated', aal: 'aal1' };
      return tokens.sign({ ...standing, sub, session_id, iat: seconds, exp: seconds + 3600 });
    },
  };
}
