import { REALTIME_BOUNDS } from '#server/realtime/limits.ts';

/** The bounds that a client can meet. The others are the service's own. */
const MET: readonly (keyof typeof REALTIME_BOUNDS)[] = [
  'frameBytes',
  'unjoinedFrameBytes',
  'messageMs',
  'framesPerSecond',
  'frameBurst',
  'joinsPerSecond',
  'joinBurst',
  'broadcastsPerSecond',
  'broadcastBurst',
  'broadcastUnitBytes',
  'replayedBroadcasts',
  'messagesPerRequest',
  'requestBytes',
  'presenceBytes',
  'presencesPerTopic',
  'channelsPerSocket',
  'bindingsPerChannel',
  'filtersPerCaller',
  'nameLength',
  'filterLength',
  'socketsPerAddress',
  'sockets',
  'bufferedBytes',
  'idleMs',
];

const HEAD = `
## Realtime

What one client meets at the realtime service. Each process counts for itself. The figures, and those of the service’s own
queues, are in \`server/realtime/limits.ts\` and cannot be set, except for \`sockets\`, which follows \`CALLER_MEMORY_BYTES\` (here 768 MiB).
A client beyond a bound is refused, or its socket is closed and it reconnects.

| name | at most | what |
|---|---|---|
`;

/** Returns this service's part of the operator's page on limits. */
export function describeRealtimeLimits(): string {
  const rows = MET.map((name) => {
    const { value, unit, bounds } = REALTIME_BOUNDS[name];
    return `| \`${name}\` | ${inWords(value, unit)} | ${bounds} |\n`;
  });
  return HEAD + rows.join('');
}

function inWords(value: number, unit: string): string {
  if (unit === 'ms') return value < 1_000 ? `${value} ms` : `${value / 1_000} s`;
  if (unit === 'bytes' && value % (1024 * 1024) === 0) return `${value / (1024 * 1024)} MiB`;
  if (unit === 'bytes' && value % 1024 === 0) return `${value / 1024} KiB`;
  return `${value} ${unit}`.trimEnd();
}
