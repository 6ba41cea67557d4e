import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { FaultOf } from '#sandbox/faults/fault.ts';
import type { FaultList, RequestFaults } from '#sandbox/faults/fault-list.ts';
import type { Mailbox } from './mailbox.ts';

/** The product's credentials. */
const USER = 'interviews';
const PASSWORD = 'mail-password';

export interface MailServer {
  /** The value for `SMTP_URL`. */
  url: string;
  close(): Promise<void>;
}

/** A mail server (RFC 5321) that delivers every mail to `mailbox`. Resolves when it listens. */
export async function startMailServer(host: string, faults: FaultList, mailbox: Mailbox): Promise<MailServer> {
  const sockets = new Map<number, Socket>();
  const handling = new MailHandling(faults, mailbox, ({ remotePort }) => sockets.get(remotePort)?.resetAndDestroy());
  const server = new SMTPServer({
    ...{ logger: false, disableReverseLookup: true, allowInsecureAuth: true, disabledCommands: ['STARTTLS'] },
    onConnect: (session, done) => void handling.connect(session).then(done),
    onAuth({ username, password }, _session, done) {
      if (username === USER && password === PASSWORD) done(null, { user: USER });
      else done(new Error('Invalid username or password'));
    },
    onRcptTo: ({ address }, session, done) => done(handling.refuse('recipient', session, address)),
    onData: (stream, session, done) => {
      // The client may hang up.
      buffer(stream)
        .then((mail) => handling.receive(mail, session))
        .then(done, done);
    },
  });
  // Clients that disconnect are not an error of the sandbox.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  const listening = server.listen(0, host);
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://${USER}:${PASSWORD}@${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}

/** Each method resolves with an error for the client, or with null. */
class MailHandling {
  readonly #faults: FaultList;
  readonly #mailbox: Mailbox;
  readonly #hangUp: (session: SMTPServerSession) => void;

  constructor(faults: FaultList, mailbox: Mailbox, hangUp: (session: SMTPServerSession) => void) {
    this.#faults = faults;
    this.#mailbox = mailbox;
    this.#hangUp = hangUp;
  }

  async connect(session: SMTPServerSession): Promise<Error | null> {
    if (this.#faultsFor(session).take('mail-away')) this.#hangUp(session);
    return this.refuse('connect', session);
  }

  refuse(at: FaultOf<'mail-refuses'>['at'], session: SMTPServerSession, recipient?: string): Error | null {
    const faults = this.#faultsFor(session, recipient);
    const fault = faults.find('mail-refuses')?.at === at ? faults.take('mail-refuses') : null;
    return fault && Object.assign(new Error(fault.message), { responseCode: fault.code });
  }

  async receive(mail: Buffer, session: SMTPServerSession): Promise<Error | null> {
    const faults = this.#faultsFor(session);
    const latency = faults.take('latency');
    if (latency) await sleep(latency.ms, undefined, { ref: false });
    const refusal = this.refuse('data', session);
    if (refusal) return refusal;
    const { messageId = '', subject: title = '', text = '', html = '', from } = await PostalMime.parse(mail);
    const to = session.envelope.rcptTo.map(({ address }) => address);
    this.#mailbox.deliver({
      messageId,
      subject: title,
      text: text.trimEnd(),
      html: html.trimEnd(),
      to,
      from: from?.address ?? '',
    });
    if (faults.take('mail-response-lost')) this.#hangUp(session);
    return null;
  }

  /**
   * Faults can be limited to a recipient with `path`. It is empty before the recipient is known.
   */
  #faultsFor(session: SMTPServerSession, recipient = session.envelope.rcptTo[0]?.address ?? ''): RequestFaults {
    return this.#faults.for(() => ({ mount: 'mail', path: recipient, funnelId: null, page: null }));
  }
}
