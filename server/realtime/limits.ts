interface Bound {
  readonly value: number;
  readonly unit: 'bytes' | 'characters' | 'ms' | '';
  /** What is bounded, in words for the operator. */
  readonly bounds: string;
}

/** Every bound of the realtime service, so that no client can cost more. `docs/operate/limits.md` has this table too. */
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
    bounds: 'fragments of one message; with more the socket is closed with 1008',
  },
  chunksPerFrame: {
    value: 1_024,
    unit: '',
    bounds: 'pieces in which one frame may arrive from the network; with more the socket is closed with 1008',
  },
  messageMs: {
    value: 10_000,
    unit: 'ms',
    bounds: 'in which a message must be complete once it has begun; later its socket is closed with 1008',
  },
  incomingBytesPerAddress: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'of unfinished messages, and of messages that wait for the database, on all sockets of one address; the socket that goes beyond is dropped',
  },
  incomingBytes: {
    value: 128 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'the same of all addresses; beyond it an address may hold an equal share, and all of them never twice as much',
  },
  framesPerSecond: { value: 50, unit: '', bounds: 'frames that a socket may send each second, averaged' },
  frameBurst: { value: 200, unit: '', bounds: 'frames that a socket may save up' },
  joinsPerSecond: {
    value: 50,
    unit: '',
    bounds:
      'joins and changes of token that one address may ask for each second, averaged; each subscription to database changes counts as one',
  },
  joinBurst: { value: 1_000, unit: '', bounds: 'joins and changes of token that one address may save up' },
  joinsAtOnce: {
    value: 3,
    unit: '',
    bounds:
      'joins of all sockets that ask the database at once: when thousands of clients come back, the rest of the service goes on',
  },
  broadcastsPerSecond: {
    value: 200,
    unit: '',
    bounds: 'broadcasts and changes of presence that one address may make each second, averaged',
  },
  broadcastBurst: { value: 1_000, unit: '', bounds: 'broadcasts and changes of presence that one address may save up' },
  broadcastUnitBytes: {
    value: 8 * 1024,
    unit: 'bytes',
    bounds: 'of a broadcast that count as one; a larger one counts once for each that it has begun',
  },
  waitingBroadcasts: { value: 5_000, unit: '', bounds: 'broadcasts of one server that wait to be passed on' },
  waitingBroadcastCharacters: {
    value: 32 * 1024 * 1024,
    unit: 'characters',
    bounds: 'of all broadcasts of one server that wait to be passed on',
  },
  broadcastsAtOnce: { value: 100, unit: '', bounds: 'broadcasts that are passed on together' },
  fanOutMs: {
    value: 2,
    unit: 'ms',
    bounds:
      'of each turn of the event loop that are spent on writing broadcasts to sockets; the rest is for everything else',
  },
  waitingDeliveries: {
    value: 100_000,
    unit: '',
    bounds:
      'writes of broadcasts to sockets that wait for their turn; with more, clients may say nothing further, and with twice as many a broadcast is not told',
  },
  replayedBroadcasts: { value: 25, unit: '', bounds: 'earlier broadcasts that a client is told when it joins' },
  replayedBytes: {
    value: 256 * 1024,
    unit: 'bytes',
    bounds: 'the payloads of these, the newest first: with what is held below, less than `bufferedBytes`',
  },
  heldBroadcasts: {
    value: 80,
    unit: '',
    bounds:
      'broadcasts that wait while the earlier ones are read, a large one counted as above; with more, the channel is closed with an error, so that its client joins again',
  },
  messagesPerRequest: { value: 100, unit: '', bounds: 'messages in one HTTP broadcast' },
  requestBytes: { value: 1024 * 1024, unit: 'bytes', bounds: 'the body of one HTTP broadcast' },
  presenceBytes: { value: 8 * 1024, unit: 'bytes', bounds: 'what somebody is present with, as JSON' },
  presencesPerTopic: {
    value: 1_000,
    unit: '',
    bounds: 'presences on one topic, whatever their keys; who comes after is told that there is no room',
  },
  presenceStateBytes: {
    value: 512 * 1024,
    unit: 'bytes',
    bounds:
      'of all presences on one topic together, which is what a client is told when it joins: less than `bufferedBytes`',
  },
  serverLifeMs: { value: 5_000, unit: 'ms', bounds: 'between two signs of life of a server' },
  serverSilenceMs: {
    value: 20_000,
    unit: 'ms',
    bounds: 'of silence of a server, after which those present through it have left',
  },
  waitingFrames: { value: 250, unit: '', bounds: 'frames of one socket that wait for the database' },
  channelsPerSocket: { value: 100, unit: '', bounds: 'channels of one socket' },
  channelBytesPerAddress: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'that the channels of one address take in memory, counted by what their joins asked for; further joins are refused',
  },
  channelBytes: {
    value: 256 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'the same of all addresses; beyond it an address may hold an equal share, and all of them never twice as much',
  },
  bindingsPerChannel: { value: 50, unit: '', bounds: 'subscriptions to database changes on one channel' },
  nameLength: { value: 255, unit: 'characters', bounds: 'a topic, an event, a key, or a name in a subscription' },
  filterLength: { value: 2_000, unit: 'characters', bounds: 'the filter of a subscription' },
  socketsPerAddress: {
    value: 100,
    unit: '',
    bounds: 'open sockets from one address (an IPv6 network of /64 counts as one)',
  },
  sockets: { value: 20_000, unit: '', bounds: 'open sockets on one server' },
  bufferedBytes: {
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'that wait in memory for a client that reads slowly; with more its socket is dropped',
  },
  bufferedBytesPerAddress: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'that wait for all slow clients of one address together; the socket that goes beyond is dropped',
  },
  bufferedBytesInAll: {
    value: 128 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'the same of all addresses; beyond it an address may hold an equal share, and all of them never twice as much',
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
    bounds:
      'the same while the database cannot tell which sessions end, so that even then none outlives its end by 5 s',
  },
  waitingChanges: {
    value: 10_000,
    unit: '',
    bounds:
      'changes that wait to be told; with more, every channel is closed with an error, so that its client reads again',
  },
  waitingChangeCharacters: {
    value: 32 * 1024 * 1024,
    unit: 'characters',
    bounds: 'of all changes that wait to be told; with more, as above',
  },
  changesAtOnce: {
    value: 4,
    unit: '',
    bounds: 'changes whose readers are looked up at once, each over one connection of the callers’ pool at a time',
  },
  decisionMs: {
    value: 2_000,
    unit: 'ms',
    bounds: 'that the database may take to say whether one caller may see one change',
  },
  descriptionMs: {
    value: 10_000,
    unit: 'ms',
    bounds:
      'for which a table’s description is believed: a new column, grant or policy counts at the latest after this',
  },
  closeMs: {
    value: 2_000,
    unit: 'ms',
    bounds: 'that a client gets to say goodbye, also when the server stops; then its connection is dropped',
  },
} as const satisfies Record<string, Bound>;

/** The figures of the table alone. */
export const REALTIME_LIMITS = Object.fromEntries(
  Object.entries(REALTIME_BOUNDS).map(([name, { value }]) => [name, value]),
) as { readonly [Name in keyof typeof REALTIME_BOUNDS]: number }; // The keys of the table, and no others.
