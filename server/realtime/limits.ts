/** Every bound of the realtime service, so that no client can cost more than this. */
export const REALTIME_LIMITS = {
  /** The largest frame that a client may send, in bytes; a larger one closes the socket with 1009. */
  frameBytes: 256 * 1024,
  /** Frames that a socket may send each second, averaged, and how many it may save up. */
  framesPerSecond: 50,
  frameBurst: 200,
  /**
   * Joins and changes of token that one address may ask for each second, averaged, and how many it may save up; each
   * subscription to database changes counts as one.
   */
  joinsPerSecond: 50,
  joinBurst: 1_000,
  /** Joins of all sockets that ask the database at once: when thousands of clients come back, the rest of the service goes on. */
  joinsAtOnce: 3,
  /**
   * Broadcasts and changes of presence that one address may make each second, averaged, and how many it may save up; a
   * large broadcast counts once for each `broadcastUnitBytes` that it has begun.
   */
  broadcastsPerSecond: 200,
  broadcastBurst: 1_000,
  broadcastUnitBytes: 8 * 1024,
  /** Broadcasts of this server that wait to be passed on, the characters of their texts, and how many go together. */
  waitingBroadcasts: 5_000,
  waitingBroadcastCharacters: 32 * 1024 * 1024,
  broadcastsAtOnce: 100,
  /** Messages in one HTTP broadcast, and the bytes of its body. */
  messagesPerRequest: 100,
  requestBytes: 1024 * 1024,
  /** What somebody is present with, in bytes of JSON, and of how many presences a client is told, whatever their keys. */
  presenceBytes: 8 * 1024,
  presencesTold: 1_000,
  /** How often a server says that it lives, and after how much silence those present through it have left. */
  serverLifeMs: 5_000,
  serverSilenceMs: 20_000,
  /** Frames of one socket that wait for the database. */
  waitingFrames: 250,
  channelsPerSocket: 100,
  /** Subscriptions to database changes on one channel. */
  bindingsPerChannel: 50,
  /** Characters of a topic, and of each part of a subscription. */
  nameLength: 255,
  filterLength: 2_000,
  /** Open sockets from one address (an IPv6 network of /64 counts as one), and on one server. */
  socketsPerAddress: 100,
  sockets: 20_000,
  /** What may wait in memory for a client that reads slowly, in bytes; then its socket is dropped. */
  bufferedBytes: 1024 * 1024,
  /** A socket that sends nothing for this long is closed; the official client sends a heartbeat every 25 s. */
  idleMs: 75_000,
  /** How often a channel's token is checked again at least, whatever its expiry says. */
  tokenCheckMs: 5 * 60_000,
  /** The same while the database cannot tell which sessions end, so that even then none outlives its end by 5 s. */
  unheardTokenCheckMs: 2_000,
  /** Changes that wait to be told. With more, every channel is closed with an error, so that its client reads again. */
  waitingChanges: 10_000,
  /** Changes whose readers are being looked up at once, each over one connection of the callers' pool at a time. */
  changesAtOnce: 4,
  /** How long the database may take to say whether one caller may see one change. */
  decisionMs: 2_000,
  /** How long a table's description is believed: a new column, grant or policy counts at the latest after this. */
  descriptionMs: 10_000,
  /** How long sockets get to say goodbye when the server stops. */
  closeMs: 2_000,
} as const;
