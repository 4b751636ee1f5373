import type { Secrets } from '#server/start/secrets.ts';

/** Every variable that a production server needs, for one on this machine that believes one proxy. */
export function productionEnvironment({
  port,
  secrets,
}: {
  readonly port: number;
  readonly secrets: Secrets;
}): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: 'localhost',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    TRUSTED_PROXIES: '1',
    JWT_KEYS: JSON.stringify(secrets.jwtKeys),
    REFRESH_TOKEN_SECRET: secrets.refreshTokenSecret,
    PUBLISHABLE_KEY: secrets.publishableKey,
    SECRET_KEY: secrets.secretKey,
    ...(secrets.pushKey !== null && { VAPID_PRIVATE_KEY: secrets.pushKey }),
    // Required in production; each test provides its own database and delivery.
    DATABASE_URL: 'postgres://database.invalid',
    SMTP_URL: 'smtp://mail.invalid',
    MAIL_FROM: 'test@example.com',
    SMS_COUNTRIES: 'DE,FR,GB,IL,IT,US',
    // So that a test sees at once that a file is gone.
    STORAGE_KEEP_REMOVED_HOURS: '0',
  };
}
