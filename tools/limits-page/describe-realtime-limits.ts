import { REALTIME_BOUNDS } from '#server/realtime/limits.ts';

const HEAD = `
## Realtime

These bounds limit what one client can cost the realtime service. Each process counts in memory for itself. The figures are in
\`server/realtime/limits.ts\` and cannot be set, except for the number of sockets and the bytes of all addresses: these are the
figures for a \`CALLER_MEMORY_BYTES\` of 768 MiB, and with half of it they are half as large. A client beyond a bound is refused by the
protocol, or its socket is closed and it reconnects.

| name | at most | what |
|---|---|---|
`;

/** Returns this service's part of the operator's page on limits. */
export function describeRealtimeLimits(): string {
  const rows = Object.entries(REALTIME_BOUNDS).map(
    ([name, { value, unit, bounds }]) => `| \`${name}\` | ${inWords(value, unit)} | ${bounds} |\n`,
  );
  return HEAD + rows.join('');
}

function inWords(value: number, unit: string): string {
  if (unit === 'ms') return value < 1_000 ? `${value} ms` : `${value / 1_000} s`;
  if (unit === 'bytes' && value % (1024 * 1024) === 0) return `${value / (1024 * 1024)} MiB`;
  if (unit === 'bytes' && value % 1024 === 0) return `${value / 1024} KiB`;
  return `${value} ${unit}`.trimEnd();
}
