import { MOST_CALLER_MEMORY, shareCallerMemory } from '#server/limits/memory/caller-memory.ts';

/** With all the memory that callers may have; with less, a part of each. */
const { incoming, buffered, channels, sockets } = shareCallerMemory(MOST_CALLER_MEMORY);

interface Bound {
  readonly value: number;
  readonly unit: 'bytes' | 'characters' | 'ms' | '';
  /** What is bounded, for the operator. */
  readonly bounds: string;
}

/** Every limit of the realtime service. `docs/operate/limits.md` lists those that a client can meet. */
export const REALTIME_BOUNDS = {
  frameBytes: {
    value: 256 * 1024,
    unit: 'bytes',
    bounds: 'a message that a client sends; a larger one closes the socket with 1009',
  },
  unjoinedFrameBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    bounds: 'the same on a socket that has not joined a channel',
  },
  fragmentsPerMessage: {
    value: 128,
    unit: '',
    bounds: 'fragments of one message; more close the socket with 1008',
  },
  chunksPerFrame: {
    value: 1_024,
    unit: '',
    bounds: 'chunks in which one frame may arrive from the network; more close the socket with 1008',
  },
  messageMs: {
    value: 10_000,
    unit: 'ms',
    bounds: 'for a message to be complete; later its socket is closed with 1008',
  },
  incomingBytesPerAddress: {
    value: incoming.perAddress,
    unit: 'bytes',
    bounds:
      'of incomplete messages, and of messages that wait for the database, on all sockets of one address; a socket beyond it is dropped',
  },
  incomingBytes: {
    value: incoming.inAll,
    unit: 'bytes',
    bounds:
      'the same for all addresses. Beyond it an address may occupy an equal share; the total never reaches twice this value',
  },
  framesPerSecond: { value: 50, unit: '', bounds: 'frames that a socket may send each second, averaged' },
  frameBurst: { value: 200, unit: '', bounds: 'frames that a socket may send at once' },
  joinsPerSecond: {
    value: 50,
    unit: '',
    bounds:
      'joins and changes of token of one address each second, averaged; each subscription to database changes counts as one',
  },
  joinBurst: { value: 1_000, unit: '', bounds: 'joins and changes of token of one address at once' },
  joinsAtOnce: {
    value: 3,
    unit: '',
    bounds:
      'joins that query the database at the same time: when thousands of clients reconnect, other requests are still served',
  },
  joinsAtOncePerAccount: {
    value: 1,
    unit: '',
    bounds: 'of them of one account, of one address of visitors, or with the secret key',
  },
  broadcastsPerSecond: {
    value: 200,
    unit: '',
    bounds: 'broadcasts and changes of presence of one address each second, averaged',
  },
  broadcastBurst: { value: 1_000, unit: '', bounds: 'broadcasts and changes of presence of one address at once' },
  broadcastUnitBytes: {
    value: 8 * 1024,
    unit: 'bytes',
    bounds: 'of a broadcast that count as one; a larger one counts once for each started unit',
  },
  waitingBroadcasts: { value: 5_000, unit: '', bounds: 'broadcasts of one server that wait to be sent' },
  waitingBroadcastCharacters: {
    value: 32 * 1024 * 1024,
    unit: 'characters',
    bounds: 'of all broadcasts of one server that wait to be sent',
  },
  broadcastsAtOnce: { value: 100, unit: '', bounds: 'broadcasts that are sent together' },
  fanOutMs: {
    value: 2,
    unit: 'ms',
    bounds: 'of each turn of the event loop for writing broadcasts to sockets',
  },
  waitingDeliveries: {
    value: 100_000,
    unit: '',
    bounds:
      'writes of broadcasts to sockets that wait. Beyond it broadcasts of clients are refused; beyond twice as many, broadcasts are dropped',
  },
  replayedBroadcasts: { value: 25, unit: '', bounds: 'earlier broadcasts that a client receives when it joins' },
  replayedBytes: {
    value: 256 * 1024,
    unit: 'bytes',
    bounds: 'of their payloads, the newest first; together with the held broadcasts below, less than `bufferedBytes`',
  },
  heldBroadcasts: {
    value: 80,
    unit: '',
    bounds:
      'broadcasts that wait while earlier ones are read, large ones counted as above; more close the channel with an error, and its client joins again',
  },
  messagesPerRequest: { value: 100, unit: '', bounds: 'messages in one HTTP broadcast' },
  requestBytes: { value: 1024 * 1024, unit: 'bytes', bounds: 'the body of one HTTP broadcast' },
  presenceBytes: { value: 8 * 1024, unit: 'bytes', bounds: 'the payload of one presence, as JSON' },
  presencesPerTopic: {
    value: 1_000,
    unit: '',
    bounds: 'presences on one topic, for all keys; further ones are refused',
  },
  presenceStateBytes: {
    value: 512 * 1024,
    unit: 'bytes',
    bounds: 'of all presences on one topic, which a client receives when it joins; less than `bufferedBytes`',
  },
  serverLifeMs: { value: 5_000, unit: 'ms', bounds: 'between two heartbeats of a server' },
  serverSilenceMs: {
    value: 20_000,
    unit: 'ms',
    bounds: 'without a heartbeat of a server, after which its presences are removed',
  },
  waitingFrames: { value: 250, unit: '', bounds: 'frames of one socket that wait for the database' },
  channelsPerSocket: { value: 100, unit: '', bounds: 'channels of one socket' },
  channelBytesPerAddress: {
    value: channels.perAddress,
    unit: 'bytes',
    bounds:
      'of memory for the channels of one address, counted by the content of their joins; further joins are refused',
  },
  channelBytes: {
    value: channels.inAll,
    unit: 'bytes',
    bounds:
      'the same for all addresses. Beyond it an address may occupy an equal share; the total never reaches twice this value',
  },
  bindingsPerChannel: { value: 50, unit: '', bounds: 'subscriptions to database changes on one channel' },
  filtersPerCaller: {
    value: 200,
    unit: '',
    bounds: 'different filters of one account, or of all visitors, at one address; joins with further ones are refused',
  },
  nameLength: { value: 255, unit: 'characters', bounds: 'a topic, an event, a key, or a name in a subscription' },
  filterLength: { value: 2_000, unit: 'characters', bounds: 'the filter of a subscription' },
  socketsPerAddress: {
    value: 100,
    unit: '',
    bounds: 'open sockets from one address (an IPv6 network of /64 counts as one)',
  },
  sockets: { value: sockets, unit: '', bounds: 'open sockets of one process' },
  bufferedBytes: {
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'that wait in memory for a slow client; more drop its socket',
  },
  bufferedBytesPerAddress: {
    value: buffered.perAddress,
    unit: 'bytes',
    bounds: 'that wait for all slow clients of one address; a socket beyond it is dropped',
  },
  bufferedBytesInAll: {
    value: buffered.inAll,
    unit: 'bytes',
    bounds:
      'the same for all addresses. Beyond it an address may occupy an equal share; the total never reaches twice this value',
  },
  idleMs: {
    value: 75_000,
    unit: 'ms',
    bounds: 'after which a socket that sends nothing is closed; the official client sends a heartbeat every 25 s',
  },
  tokenCheckMs: {
    value: 5 * 60_000,
    unit: 'ms',
    bounds: 'between two checks of a channel’s token, whatever its expiry says',
  },
  unheardTokenCheckMs: {
    value: 2_000,
    unit: 'ms',
    bounds: 'the same while the database cannot announce ended sessions, so that none of them lasts 5 s longer',
  },
  waitingChanges: {
    value: 10_000,
    unit: '',
    bounds: 'changes that wait to be delivered; more close every channel with an error, and its client reads again',
  },
  waitingChangeCharacters: {
    value: 32 * 1024 * 1024,
    unit: 'characters',
    bounds: 'of all changes that wait to be delivered; more, as above',
  },
  changesAtOnce: {
    value: 4,
    unit: '',
    bounds: 'changes whose subscribers are checked at the same time, each over one connection of the callers’ pool',
  },
  decisionMs: {
    value: 2_000,
    unit: 'ms',
    bounds: 'for the database to check whether one caller may see one change',
  },
  descriptionMs: {
    value: 10_000,
    unit: 'ms',
    bounds: 'for which a table’s description is cached: a new column, grant, or policy takes effect within this time',
  },
  closeMs: {
    value: 2_000,
    unit: 'ms',
    bounds:
      'for a client to complete the closing handshake, also when the server stops; then its connection is dropped',
  },
} as const satisfies Record<string, Bound>;

/** The values alone. */
export const REALTIME_LIMITS = Object.fromEntries(
  Object.entries(REALTIME_BOUNDS).map(([name, { value }]) => [name, value]),
) as { readonly [Name in keyof typeof REALTIME_BOUNDS]: number }; // The entries keep the keys of the table.
