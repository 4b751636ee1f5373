import { CALLER_SHARES, CONNECT_TIMEOUT_MS } from '#server/postgres/database.ts';
import { LIMIT_RISKS } from './limit-risks.ts';
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

const RISKS = `
## Who can use a limit up, and who is held up then

A limit that a stranger can use up is never the one that the rightful person needs. It refuses only the client that uses
it up; or the person has another way, which no stranger can close: the link that was mailed, a device that the account
knows, another channel ([decision 48](../decisions/0048-strangers-use-up-nothing-that-the-owner-needs.md)).

| name | who can use it up | who is held up, and what they have instead |
|---|---|---|
`;

const KEPT = `
## What is kept for an owner

| what | at most | what happens beyond |
|---|---|---|
| messages that one item keeps | 50,000 | the next one is refused with \`429\`. The pace of each address lets 120 in a day through, so it takes 400 addresses a whole day to come there |
| e-mails to the owner about messages of one item | 20 on a day (UTC); of a conversation that the owner has answered, 20 of its own | the messages arrive all the same, and one digest is sent when the day is over, unless they have been read |
| items of one account | \`ITEMS_PER_ACCOUNT\`, 1,000 unless set | \`413\`. The secret key is not counted |
| rows that one request inserts | \`REST_MAX_ROWS\`, 1,000 unless set | \`413\`. The secret key is not counted |

A message counts when it was accepted: one that is refused uses up nothing.
`;

const { connections, perAccount, visitorConnections, perVisitingAddress } = CALLER_SHARES;
const AT_ONCE = `
## At once

Of a server's ${connections} connections to the database for those who signed in, calls of one account use at most ${perAccount} at the same
time; of the ${visitorConnections} for visitors, calls from one address use at most ${perVisitingAddress}. What is more waits for those before it, at most
${CONNECT_TIMEOUT_MS / 1_000} s, and is then refused with \`429\` and \`Retry-After\`. The secret key is not counted
([decision 38](../decisions/0038-nobody-takes-all-connections.md)).
`;

/** The page for the operator. */
export function describeLimits(): string {
  const rows = LIMIT_NAMES.map((name) => {
    const [real, gentle] = [inWords(figuresOf(name, false)), inWords(figuresOf(name, true))];
    return `| \`${name}\` | ${LIMITS[name].counts} | ${real} | ${gentle === real ? 'the same' : gentle} |\n`;
  });
  const risks = LIMIT_NAMES.map((name) => {
    const { filledBy, holdsUp } = LIMIT_RISKS[name];
    return `| \`${name}\` | ${filledBy} | ${holdsUp} |\n`;
  });
  return HEAD + rows.join('') + RISKS + risks.join('') + KEPT + AT_ONCE;
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
