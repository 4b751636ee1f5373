import { join } from 'node:path';
import { freePort } from '#server/free-port.ts';
import { makeSecrets } from '#server/secrets.ts';
import { type BenchmarkDatabase, connectionString } from './start-database.ts';
import { type Program, startProgram } from './start-program.ts';

export interface BenchmarkService {
  readonly program: Program;
  readonly port: number;
  readonly publishableKey: string;
}

/** The whole product as in production: `server/main.ts`, with its access log going to a file. */
export async function startService(
  database: BenchmarkDatabase,
  runtime: readonly string[] = [],
): Promise<BenchmarkService> {
  const port = await freePort();
  const secrets = await makeSecrets();
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
      // Named because production needs it; nothing is sent.
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'benchmark@example.com',
    },
    output: join(database.folder, 'service.log'),
    ready: / is ready at /,
    runtime,
  });
  return { program, port, publishableKey: secrets.publishableKey };
}
