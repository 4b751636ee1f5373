import { MOST_REGISTRATIONS } from '#server/auth/accounts/register-account.ts';
import { MESSAGE_PHOTOS } from '#server/conversations/message-photos.ts';
import { BODIES } from '#server/http/bound-callers.ts';
import { LEAST_BYTES } from '#server/http/end-stalled-bodies.ts';
import { BOUNDS, CONNECTIONS } from '#server/http/listen.ts';
import { LIMIT_COUNTS } from '#server/limits/bound-limit-counts.ts';
import { FLOOD } from '#server/limits/flood-guard.ts';
import { LEAST_CALLER_MEMORY, MOST_CALLER_MEMORY, shareCallerMemory } from '#server/limits/memory/caller-memory.ts';
import type { HeldBytesOptions } from '#server/limits/memory/held-bytes.ts';
import { UPLOADS } from '#server/storage/uploads/upload-places.ts';
import { RENDERS } from '#server/web/checks/render-allowance.ts';

const MIB = 1024 * 1024;
const { mostCounted } = BODIES;
const { bodies, connections } = shareCallerMemory(MOST_CALLER_MEMORY);
const { perAddress, inAll } = bodies;
const whileArriving = `until ${BOUNDS.bodyMs / 1000} s pass in which less than ${LEAST_BYTES / 1024} KiB arrives, ${BOUNDS.requestMs / 60_000} min at most`;
const places = (bound: HeldBytesOptions) =>
  `${bound.perAddress / MIB} MiB of an address, ${bound.inAll / MIB} MiB in all`;

const TEXT = `
## What a stranger can occupy

What a caller without an account can leave in a server's memory or tables: the size of one, the number, and the time. Counts of
a few hundred bytes for an address are bounded, too, and not listed. When all addresses together reach their bound, an address may still occupy an equal share. These
figures are in the code. Only those named in capitals can be set. Connections assume \`TRUSTED_PROXIES=0\`; behind a proxy,
the proxy's own limits apply.

The total bounds for bodies, messages, unread frames, channels, connections, and sockets are parts of \`CALLER_MEMORY_BYTES\`.
The table shows them for its maximum, ${MOST_CALLER_MEMORY / MIB} MiB. The default is an eighth of the memory of the machine or container, and at
most a quarter of the runtime's heap limit: ${MOST_CALLER_MEMORY / MIB} MiB from 6 GiB on; with 512 MiB it is ${LEAST_CALLER_MEMORY / MIB} MiB, and each bound is a twelfth. While
many addresses arrive at once, bytes may briefly be twice their bound.

| what | size of one | at most | how long |
|---|---|---|---|
| connections | about 12 KiB | ${CONNECTIONS.perAddress} of an address, ${connections} in all | 65 s without a byte |
| incomplete request headers | 16 KiB, 100 lines | one for each connection | 10 s |
| bodies in transit | 1 MiB; a larger one goes to a file | ${perAddress / MIB} MiB of an address, ${inAll / MIB} MiB in all, each counted by its declared length, up to ${mostCounted / MIB} MiB | ${whileArriving}; without room, the slowest of those older than ${BODIES.graceMs} ms is dropped |
| unread responses | the response | one for each connection | 65 s without a byte |
| files in transit | \`STORAGE_FILE_SIZE_LIMIT\`, on disk | none without a right to the bucket, which is checked before the first byte; ${places(UPLOADS.account)}, or one file and four, each counted by its declared length | ${whileArriving}; after a crash until the sweep |
| incomplete and waiting WebSocket messages | 64 KiB before a join, then 256 KiB | 16 MiB of an address, 128 MiB in all; 128 fragments, 1024 chunks | 10 s; waiting ones until the database responds |
| frames that a client has not read | 1 MiB | 16 MiB of an address, 128 MiB in all | until the socket is dropped |
| sockets | about 20 KiB | 100 of an address, 20000 in all | 75 s without a heartbeat |
| channels and subscriptions | by the content of the join | 16 MiB of an address, 256 MiB in all; 100 of a socket | as long as the socket |
| waiting broadcasts | 256 KiB | 5000, and 32 Mi characters; 100000 writes | until they are delivered; off unless \`REALTIME_PUBLIC_CHANNELS\` |
| presences | 8 KiB, in a table | one for each channel, 1000 and 512 KiB of a topic | as long as the channel; off unless \`REALTIME_PUBLIC_CHANNELS\` |
| waiting changes | 1 MiB | 10000, and 32 Mi characters | until they are delivered |
| requests that wait for a connection to PostgreSQL | the request and its body | one for each request | 5 s ([at once](#at-once)) |
| passwords that wait to be hashed | the request | 128 for each core, then 503; addresses that have used the least time go first; as many for known accounts and devices | until they are hashed |
| pictures that wait to be decoded | a file on disk; about 200 MB for the one being decoded | 24; accounts that have used the least time go first | 20 s each |
| photos of finders in transit | ${MESSAGE_PHOTOS.mostBytes / MIB} MiB, on disk; of a larger one nothing is kept | none without a code that has an owner; ${places(UPLOADS.finder)}, and by \`message_photos_per_address\` | ${whileArriving}; after a crash until the sweep |
| photos of finders that wait to be decoded | as above | ${MESSAGE_PHOTOS.mostWaiting}; then the message is sent without it. One of them at a time waits with the pictures of accounts | as above |
| photos of finders | at most about 1.5 MB in both sizes | ${MESSAGE_PHOTOS.perConversation} of a conversation, by \`message_photos_per_owner\` and \`message_photos_from_everywhere\` | as long as their messages |
| finished pages and found items | by their bytes | 64 MiB | until the least recently read is dropped |
| tokens with a valid signature | 6 KiB; up to 300 KiB with as much metadata as an account can have | 64 MiB; forged ones are not stored | until they expire |
| prepared statements | 20 KiB for each connection | 200 for each role, 500 texts seen once | as long as the server |
| counts of limits | about 250 bytes, in a table | ${LIMIT_COUNTS.most / 1e6} million, and those of the last minute; one address can create about 700 in an hour: 100 sign-ins with three counts each, 60 requests for codes with five, 60 guesses with two | until they expire, a day at most; beyond the bound, those that expire first are removed |
| messages | at most 250 characters, in a table | 50,000 of an item, by \`send_message_per_tag_and_address\` and \`send_message_per_address\` | until newer ones take their place, or the owner deletes them |
| reports to the operator | at most 500 characters, in a table | 20 open ones of a kind and tag code, by \`reports_per_address\` and \`reports_per_tag_and_address\`, and of a kind and conversation, by \`invitations_and_reports_per_account\`; more are counted | 30 days after they were closed, 180 days at most |
| addresses of finders | about 300 bytes, in a table | one for each conversation, by \`finder_emails_per_address\` and \`finder_emails_per_conversation\` | a day without a proof, 90 days after the latest message at most |
| contact openings | about 150 bytes, in a table | 1000 of an item, by \`open_channel\` | as above |
| jobs that send emails, SMS, pushes, and notices to addresses | about 500 bytes, in a table | one for each message, one more for each of its owner’s devices, at most ten, and notice addresses, at most five, one for each sign-in on a new device, and change of an account; two for each finder’s address | until they are done; a failed one for a week after its last attempt |
| unconfirmed accounts, codes, visits to providers, authorization codes | a row | by the limits of the first table; ${MOST_REGISTRATIONS} unconfirmed accounts for one recipient of an address, a later registration is not stored | until the purge |

## Refusals

A refusal costs no more than its request: refusal pages are rendered and compressed once, and a wire service's refusal is a
line of JSON. An address that was refused more than ${FLOOD.refusalBurst} times, and continues at more than ${FLOOD.refusalsPerSecond} a second, is cut off for
${FLOOD.cutMs / 1000} s. Without a proxy, its connections are closed before a byte is read. Behind a proxy, each request receives the same
prepared refusal.

Screens of the app, unknown paths, and refused forms are rendered for each request: ${RENDERS.burst} of an address at once, then ${RENDERS.perSecond} a second; beyond
it one shared refusal. The finder's page of an item, messages, and contact openings are not counted.
`;

/** The part of the operator's page that lists what callers without an account can make a server keep. */
export function describeRetention(): string {
  return TEXT;
}
