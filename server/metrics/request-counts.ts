import type { Metric } from './merge-metrics.ts';

/** One response, as the metrics count it. */
export interface CountedRequest {
  readonly method: string;
  /** The pattern of the route, such as `/auth/v1/token`; never the path, which contains tag codes. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export interface RequestCounts {
  count(request: CountedRequest): void;
  /** Returns what was counted, in Prometheus' text format. */
  read(): Metric[];
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);
/** In seconds. The first ones tell a cached page from a read, the last ones a slow request from a hanging one. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const DURATIONS = 'reunite_request_duration_seconds';
const RESPONSES = 'reunite_responses_total';
const DURATIONS_HEAD = `# HELP ${DURATIONS} Time until a response began, with the arrival of what the request sent, by route.
# TYPE ${DURATIONS} histogram`;
const RESPONSES_HEAD = `# HELP ${RESPONSES} Responses, by route and status.
# TYPE ${RESPONSES} counter`;

/** The requests of one method and route. */
interface Route {
  readonly labels: string;
  /** How many took as long as each bucket says, and longer than the one before; the last is for longer ones still. */
  readonly durations: number[];
  seconds: number;
  readonly statuses: Map<number, number>;
  /** The lines of both metrics; null if a request has been counted since. */
  texts: { readonly durations: string; readonly responses: string } | null;
}

/**
 * Counts requests by method, route, and status. These are nearly all lines of a scrape, and only the routes that were
 * used since the last one are formatted again.
 */
export function countRequests(): RequestCounts {
  const routes = new Map<string, Route>();
  let read: Metric[] | null = null;

  const routeOf = (method: string, route: string): Route => {
    const labels = `method="${method}",route="${escapeLabel(route)}"`;
    const known = routes.get(labels);
    if (known !== undefined) return known;
    const durations = Array<number>(BUCKETS.length + 1).fill(0);
    const added: Route = { labels, durations, seconds: 0, statuses: new Map(), texts: null };
    routes.set(labels, added);
    return added;
  };

  return {
    count({ method: given, route, status, ms }) {
      // Node accepts methods that no route of ours has.
      const counted = routeOf(METHODS.has(given) ? given : 'other', route);
      const seconds = ms / 1000;
      const bucket = BUCKETS.findIndex((most) => seconds <= most);
      const at = bucket === -1 ? BUCKETS.length : bucket;
      counted.durations[at] = (counted.durations[at] ?? 0) + 1;
      counted.seconds += seconds;
      counted.statuses.set(status, (counted.statuses.get(status) ?? 0) + 1);
      counted.texts = null;
      read = null;
    },
    read() {
      if (read !== null) return read;
      const texts = Array.from(routes.values(), (route) => {
        route.texts ??= { durations: formatDurations(route), responses: formatResponses(route) };
        return route.texts;
      });
      read = [
        {
          name: DURATIONS,
          text: [DURATIONS_HEAD, ...texts.map(({ durations }) => durations)].join('\n'),
          merge: 'sum',
        },
        {
          name: RESPONSES,
          text: [RESPONSES_HEAD, ...texts.map(({ responses }) => responses)].join('\n'),
          merge: 'sum',
        },
      ];
      return read;
    },
  };
}

/** A bucket counts all requests that took as long as it says, or less. */
function formatDurations({ labels, durations, seconds }: Route): string {
  let count = 0;
  const buckets = durations.map((own, index) => {
    count += own;
    return `${DURATIONS}_bucket{le="${BUCKETS[index] ?? '+Inf'}",${labels}} ${count}`;
  });
  return [...buckets, `${DURATIONS}_sum{${labels}} ${seconds}`, `${DURATIONS}_count{${labels}} ${count}`].join('\n');
}

function formatResponses({ labels, statuses }: Route): string {
  return Array.from(statuses, ([status, count]) => `${RESPONSES}{${labels},status="${status}"} ${count}`).join('\n');
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
