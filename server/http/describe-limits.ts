import { figuresOf, LIMIT_NAMES, LIMITS } from './limits.ts';

const HEAD = `# Limits

How often something may be done before the service answers \`429\` with \`Retry-After\`. The counts are kept in PostgreSQL,
so all servers on one database count together, and they hold fingerprints of what they count, never an address of
anybody. Where the counts cannot be reached the service answers \`503\`: it never takes an unknown count for a free one.

"Address" is the network address that a request comes from: the socket's own, or what the last proxies say that
\`TRUSTED_PROXIES\` names as yours; nothing else that a client writes into a header counts. An IPv6 address counts as its
/64. A development server is gentler where hands-on use and test runs, all from one address, would meet the limit.

Each figure can be set: \`LIMITS=sign_up_per_address=50/3600,mail_gap_per_account=1/120\` allows 50 sign-ups in an hour from
one address, and one code by e-mail in two minutes. What is not named keeps the figure below; a name that is not in the
table stops the start.

The table is \`server/http/limits.ts\`; a test keeps this page the same.

| name | counted for each | at most | in development |
|---|---|---|---|
`;

/** The page for the operator. */
export function describeLimits(): string {
  const rows = LIMIT_NAMES.map((name) => {
    const [real, gentle] = [inWords(figuresOf(name, false)), inWords(figuresOf(name, true))];
    return `| \`${name}\` | ${LIMITS[name].counts} | ${real} | ${gentle === real ? 'the same' : gentle} |\n`;
  });
  return HEAD + rows.join('');
}

function inWords({ points, seconds }: { readonly points: number; readonly seconds: number }): string {
  const [unit, name] = (
    [
      [86_400, 'day'],
      [3_600, 'hour'],
      [60, 'minute'],
    ] as const
  ).find(([length]) => seconds % length === 0) ?? [1, 'second'];
  const count = seconds / unit;
  return `${points} in ${count === 1 ? (name === 'hour' ? 'an' : 'a') : count} ${name}${count === 1 ? '' : 's'}`;
}
