import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { holdTime, type TestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';

/**
 * Sets up a test file about mailed codes and links: its own database, a server that sends every code by email and
 * responds soon, and a clock that the file advances. Call it at the top of the file.
 */
export async function startAuthByMail(
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly database: TestDatabase; readonly clock: TestClock; readonly server: TestServer }> {
  const database = await createTestDatabase();
  const clock = holdTime();
  const delivery = catchDelivery({ hasSms: false });
  const server = await startTestServer(database, { clock, delivery, environment });
  return { database, clock, server };
}
