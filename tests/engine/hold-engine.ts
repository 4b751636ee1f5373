import { OperatorError } from '#server/operator-error.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded/start-embedded-postgres.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

// A program that starts the engine, reports it, and keeps it running until it is killed or receives a signal.
const [, , dataDirectory = '', waitMs = ''] = process.argv;
try {
  const engine = await startEmbeddedPostgres({
    dataDirectory,
    log: quietLog,
    ...(waitMs !== '' && { waitMs: Number(waitMs) }),
  });
  console.log(JSON.stringify(engine.address));
  process.on('SIGTERM', () => void engine.stop().then(() => process.exit(0)));
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.log(JSON.stringify({ refused: error.message }));
}
