import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

interface ArrivedMail {
  readonly recipients: readonly string[];
  readonly mail: Email;
  readonly raw: string;
}

/** A real SMTP server on this machine. Only olive, with the password "pa ss", can sign in. */
export interface MailServer {
  readonly port: number;
  readonly arrived: ArrivedMail[];
  /** While set, everything sent is refused with it. */
  refusal: Error | undefined;
  /** While set, every recipient is refused with it. */
  recipientRefusal: Error | undefined;
  /** How often a recipient was named. */
  attempts: number;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'olive' && password === 'pa ss') done(null, { user: 'olive' });
      else done(new Error('535 no'));
    },
    onRcptTo(_address, _session, done) {
      server.attempts += 1;
      done(server.recipientRefusal);
    },
    async onData(stream, session, done) {
      const received = await buffer(stream).catch(() => null);
      // The client was killed in the middle of it.
      if (received === null) return;
      const raw = received.toString('utf8');
      const { refusal } = server;
      if (refusal !== undefined) return done(refusal);
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      server.arrived.push({ recipients, raw, mail: await PostalMime.parse(raw) });
      done();
    },
  });
  // A client that is killed resets its connections.
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const server: MailServer = {
    // A TCP server listening on a port has an AddressInfo.
    port: (smtp.server.address() as AddressInfo).port,
    arrived: [],
    refusal: undefined,
    recipientRefusal: undefined,
    attempts: 0,
    close: () => new Promise((done) => smtp.close(done)),
  };
  return server;
}
