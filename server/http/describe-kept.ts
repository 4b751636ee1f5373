import { BODIES } from './bound-callers.ts';
import { FLOOD } from './flood-guard.ts';
import { CONNECTIONS } from './listen.ts';

const MIB = 1024 * 1024;
const { perAddress, inAll, mostCounted } = BODIES;

const TEXT = `
## What a stranger can make the server keep

Everything that a caller without an account can leave in a server's memory or in its tables: how large one is, how many
there can be, and for how long. Where an address may no longer hold as much as its own bound, because all addresses
together hold theirs, it may still hold an equal share. These figures are in the code and cannot be set, but for those
named in capitals. \`TRUSTED_PROXIES\` is assumed to be 0 for connections: behind a proxy the proxy's own limits of
connections hold.

| what | of one | at most | for how long | bounded by |
|---|---|---|---|---|
| connections | some 12 KiB | ${CONNECTIONS.perAddress} of an address, ${CONNECTIONS.inAll} in all | 65 s without a byte | \`server/http/listen.ts\` |
| unfinished request headers | 16 KiB, 100 lines | one for each connection | 10 s | the runtime, \`server/http/listen.ts\` |
| bodies that arrive | 1 MiB; a larger one goes to a file | ${perAddress / MIB} MiB of an address, ${inAll / MIB} MiB in all, each counted as what it promises, up to ${mostCounted / MIB} MiB | 30 s | \`server/http/bound-callers.ts\` |
| responses that are not read | the response | one for each connection | 65 s without a byte | \`server/http/listen.ts\` |
| files that arrive | \`STORAGE_FILE_SIZE_LIMIT\`, on disk | none without a right to the bucket, which is tried before a byte is let in | 30 s; after a crash until the sweep | \`server/storage/objects/upload-object.ts\` |
| unfinished and waiting WebSocket messages | 64 KiB before a join, then 256 KiB | 16 MiB of an address, 128 MiB in all; 128 fragments, 1024 pieces | 10 s; waiting ones until the database answers | \`server/realtime/limits.ts\` |
| frames that a socket has not read | 1 MiB | 16 MiB of an address, 128 MiB in all | until the socket is dropped | \`server/realtime/limits.ts\` |
| sockets | some 20 KiB | 100 of an address, 20000 in all | 75 s without a heartbeat | \`server/realtime/limits.ts\` |
| channels and subscriptions | by what the join asked for | 16 MiB of an address, 256 MiB in all; 100 of a socket | as long as the socket | \`server/realtime/limits.ts\` |
| broadcasts on their way | 256 KiB | 5000, and 32 Mi characters; 100000 writes | until they are told | \`server/realtime/limits.ts\`; off unless \`REALTIME_PUBLIC_CHANNELS\` |
| presences | 8 KiB, in a table | one for each channel, 1000 and 512 KiB of a topic | as long as the channel | \`server/realtime/limits.ts\`; off unless \`REALTIME_PUBLIC_CHANNELS\` |
| changes that wait to be told | 1 MiB | 10000, and 32 Mi characters | until they are told | \`server/realtime/limits.ts\` |
| counts of sockets, joins and broadcasts | some 300 bytes | one for each address | 20 s after its last join | \`server/realtime/address-book.ts\` |
| calls that wait for a connection to PostgreSQL | the call and its body | one for each request | 5 s | [at once](#at-once) |
| passwords that wait to be hashed | the call | a few, then 503 | until they are hashed | \`server/auth/password-hasher.ts\` |
| pictures that wait to be decoded | a file on disk; 160 MB for the one that is decoded | 24, of all accounts in turn | 20 s each | \`server/storage/pictures/picture-reader.ts\` |
| finished pages and found items | by their bytes | \`PAGE_CACHE_BYTES\` | until the least read makes room | \`server/web/finder/found-items.ts\` |
| pages that refuse | some 10 KiB | one for each kind and encoding | as long as the server | \`server/web/finder/notice-documents.ts\` |
| tokens whose signature is right | 2 KiB | 10000; a forged one is not kept | until they expire | \`server/tokens/remembered-tokens.ts\` |
| prepared statements | 20 KiB of each connection | 200 of a role, 500 texts seen once | as long as the server | \`server/rest/sql/statement-names.ts\` |
| addresses that missed too often | some 100 bytes | 10000 | an hour | \`server/http/miss-limit.ts\` |
| addresses that were refused | some 200 bytes | ${FLOOD.mostAddresses} | until another makes room | \`server/http/flood-guard.ts\` |
| counts of limits | some 150 bytes, in a table | one for each limit and key | until they expire, a day at most | \`server/http/postgres-rate-limits.ts\` |
| accounts that nobody confirmed, codes, visits to providers, authorization codes | a row | by the limits of the first table | until the purge | \`server/jobs/forget-what-is-over.ts\` |

## Refusals

A refusal costs no more than the request: the pages that refuse are rendered and compressed once, and a wire service's
refusal is a line of JSON. An address that was refused more than ${FLOOD.refusalBurst} times, and goes on at more than ${FLOOD.refusalsPerSecond} a second, is
cut off for ${FLOOD.cutMs / 1000} s: without a proxy its connections are ended before a byte is read, behind one each request gets the same
finished refusal.

These responses cost more than the request that asks for them, and what bounds each:

| response | bounded by |
|---|---|
| the page of a conversation, and of a form that came back: rendered for its request | the key of the conversation; the limits of messages and openings |
| the page of a code without an item, which names the code | \`find_item_miss\` |
| screens of the app for visitors: rendered for each request | no count of their own; ${CONNECTIONS.perAddress} connections of an address |
| a look-up of a long code behind a refused address: one indexed statement | the cut above |
| sign-in with a password: 19 MiB and two passes of Argon2id | the limits of failed sign-ins; a queue |
| reads by visitors over \`/rest/v1\` | a second each; 2 connections of an address |
`;

/** The part of the operator's page that lists what callers without an account can make a server keep. */
export function describeKept(): string {
  return TEXT;
}
