type Labels = Readonly<Record<string, string>>;

/** A value with the labels that tell it from others of its metric. Labels never come from user input. */
interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** One value, or one for each set of labels. */
type Measured = number | readonly Sample[];

/** One response, as the metrics count it. */
export interface CountedRequest {
  readonly method: string;
  /** The pattern of the route, such as `/auth/v1/token`; never the path, which contains tag codes. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export interface MetricName {
  /** Such as `reunite_sockets`; counters end in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** What becomes of the values of several processes. A value of what they share is not summed. */
  readonly merge?: 'sum' | 'max';
}

/** What the parts of the server measure about themselves. Each part registers its own metrics, once. */
export interface Metrics {
  /** Registers values that are read at each scrape. A rejected read leaves the metric out of that scrape. */
  gauge(metric: MetricName, read: () => Measured | Promise<Measured>): void;
  /**
   * Registers a count that only grows, and returns the function that adds one to it.
   *
   * @param series - What is counted from 0. A rule that compares two series sees none that has never been counted.
   * @example
   * const countDelivery = metrics.counter({
   *   name: 'reunite_deliveries_total',
   *   help: 'Messages handed to a mail server or an SMS provider.',
   *   labels: ['way', 'outcome'],
   * });
   * countDelivery({ way: 'email', outcome: 'accepted' });
   */
  counter(metric: MetricName, series?: readonly Labels[]): (labels: Labels) => void;
  /** Registers counts that only grow and that another part keeps. They are read at each scrape. */
  tally(metric: MetricName, read: () => readonly Sample[]): void;
}

/** For a server without `METRICS_PORT`: nothing is counted. */
export const NO_METRICS: Metrics = { gauge: () => undefined, counter: () => () => undefined, tally: () => undefined };
