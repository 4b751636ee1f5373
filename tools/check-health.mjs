// Exits with 0 where the server on this machine is ready for requests, or waits for a person to set it up, else with 1: the
// health check of the container. One that waits is well; a replacement would only have another address.
const port = process.env.PORT || '3000';
const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4000) }).catch(
  () => null,
);
const waits = response?.status === 503 && (await response.text().catch(() => '')) === '{"status":"set-up"}';
process.exit(response?.ok === true || waits ? 0 : 1);
