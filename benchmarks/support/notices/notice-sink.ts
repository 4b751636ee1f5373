import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';

/** A mail server and an HTTPS server on this machine that accept every notice, and keep when the first of each owner came. */
export interface NoticeSink {
  readonly smtpUrl: string;
  /** For `OUTBOUND_ALLOWED`. */
  readonly host: string;
  readonly origin: string;
  /** The file with the certificate. */
  readonly certificate: string;
  /** How many notices arrived since `forget`. */
  arrived(): number;
  /** How many notices arrived since `forget`, for each address that they went to. */
  byAddress(): ReadonlyMap<string, number>;
  /** When an owner's first notice since `forget` arrived, as `performance.now()`. */
  firstAt(owner: string): number;
  forget(): void;
  stop(): Promise<void>;
}

/** Starts both. The certificate, made with `openssl`, is kept in the folder. */
export async function startNoticeSink(folder: string): Promise<NoticeSink> {
  const [key, certificate] = [join(folder, 'sink.key'), join(folder, 'sink.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=notice sink', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  let count = 0;
  const first = new Map<string, number>();
  const counts = new Map<string, number>();
  const take = (owner: string, address: string) => {
    count += 1;
    counts.set(address, (counts.get(address) ?? 0) + 1);
    if (!first.has(owner)) first.set(owner, performance.now());
  };

  const https = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    request.resume().on('end', () => {
      const path = request.url ?? '';
      take(path.split('/')[1] ?? '', path);
      response.writeHead(201).end();
    });
  });
  https.listen(0, '127.0.0.1');
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      stream.resume().on('end', () => {
        for (const { address } of session.envelope.rcptTo) take(address.split('@')[0] ?? '', address);
        done();
      });
    },
  });
  smtp.listen(0, '127.0.0.1');
  await Promise.all([once(https, 'listening'), once(smtp.server, 'listening')]);
  // Servers on TCP ports have an AddressInfo.
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  const host = `127.0.0.1:${portOf(https)}`;
  return {
    smtpUrl: `smtp://127.0.0.1:${portOf(smtp.server)}`,
    host,
    origin: `https://${host}`,
    certificate,
    arrived: () => count,
    byAddress: () => counts,
    firstAt: (owner) => first.get(owner) ?? Number.NaN,
    forget() {
      count = 0;
      counts.clear();
      first.clear();
    },
    async stop() {
      https.closeAllConnections();
      await Promise.all([
        new Promise((done) => https.close(done)),
        new Promise<void>((done) => smtp.close(() => done())),
      ]);
    },
  };
}
