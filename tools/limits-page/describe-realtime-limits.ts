import { REALTIME_BOUNDS } from './limits.ts';

const HEAD = `
## Realtime

What one client can cost the realtime service, whatever it sends. Each server counts by itself, in memory; these figures
are \`server/realtime/limits.ts\` and cannot be set. A client that goes beyond one is refused in the protocol's own words,
or its socket is closed and it comes back.

| name | at most | of what |
|---|---|---|
`;

/** The part of the operator's page on limits that is about this service. */
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
