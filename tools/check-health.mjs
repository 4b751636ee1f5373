// Exits with 0 where the server on this machine is ready for requests, else with 1: the health check of the container.
const port = process.env.PORT || '3000';
const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4000) }).catch(
  () => null,
);
process.exit(response?.ok === true ? 0 : 1);
