import type { ProcessMetrics } from '#server/metrics/merge-metrics.ts';

export interface CountedProcesses {
  /** How many the settings ask for. */
  readonly wanted: number;
  readonly serving: number;
  /** How many have responded to this scrape, one that stops included. */
  readonly responding: number;
  /** How many have ended by themselves, at their start too. */
  readonly ends: number;
}

/**
 * Returns the supervisor's own metrics. It responds to scrapes while no process serves, so without these an outage would
 * look like a quiet night.
 */
export function measureProcesses({ ends, ...states }: CountedProcesses): ProcessMetrics {
  const counted = Object.entries(states).map(([state, count]) => `reunite_processes{state="${state}"} ${count}`);
  return [
    {
      name: 'reunite_processes',
      text: [
        '# HELP reunite_processes Processes of the server, by whether they are wanted, serve, and responded to this scrape.',
        '# TYPE reunite_processes gauge',
        ...counted,
      ].join('\n'),
      merge: 'sum',
    },
    {
      name: 'reunite_process_ends_total',
      text: [
        '# HELP reunite_process_ends_total Processes that ended by themselves, or did not start.',
        '# TYPE reunite_process_ends_total counter',
        `reunite_process_ends_total ${ends}`,
      ].join('\n'),
      merge: 'sum',
    },
  ];
}
