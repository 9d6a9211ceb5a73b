import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { type ConnectionOptions, connect, type NatsConnection, StringCodec } from 'nats';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { consoleInboxPrefix } from '../../protocol/fleet/subjects';
import { machineClock } from '../../protocol/machine-clock';
import { selfSigned } from '../../testing/self-signed';
import { temporaryFolder } from '../../testing/temporary-folder';
import { invite } from './invite';
import { type JoinFile, readJoinFile } from './join-file';
import { siteFiles } from './site';
import { type StartedFleet, startFleet } from './start';

const place = temporaryFolder();
const folder = join(place, 'fleet');
const machine = () => ({ hostName: 'stage', addresses });
const around = { folder, clock: machineClock, machine };
const text = StringCodec();
let addresses: string[] = [];
let refresh = (): void => undefined;
const warnings: string[] = [];
let fleet: StartedFleet;
let one: JoinFile;
let other: JoinFile;

beforeAll(async () => {
  fleet = await startFleet({
    ...{ ...around, listen: '0.0.0.0', port: 0, log: (line) => warnings.push(line) },
    // An hour passes when the test says so.
    clock: {
      ...machineClock,
      // No minute of warnings ends.
      after: (ms, act) => (ms < 60_000 ? machineClock.after(ms, act) : () => undefined),
      every(_, act) {
        refresh = act;
        return () => undefined;
      },
    },
  });
  one = await invited('one');
  other = await invited('other');
});

afterAll(() => fleet.close());

async function invited(name: string, force = false): Promise<JoinFile> {
  const output = join(place, `${name}.json`);
  const { isAccepted } = await invite({ ...around, name, address: null, output, force });
  expect(isAccepted).toBe(true);
  return readJoinFile(output);
}

async function joined(file: JoinFile, options: ConnectionOptions = {}): Promise<NatsConnection> {
  const { servers, user, secret: pass, certificateAuthority: ca } = file;
  const connection = await connect({ servers, user, pass, tls: { ca }, reconnect: false, ...options });
  onTestFinished(() => connection.close());
  return connection;
}

function console(): Promise<NatsConnection> {
  return joined(readJoinFile(siteFiles(folder).console), { inboxPrefix: consoleInboxPrefix });
}

/** The server answers in the order in which it was asked; the second time the client has handed on what came before the first. */
async function answeredTwice(connection: NatsConnection): Promise<void> {
  await connection.flush();
  await connection.flush();
}

/** What the server says to a publication; null: it takes it. */
async function refusalOfPublish(connection: NatsConnection, subject: string): Promise<string | null> {
  const states = connection.status();
  connection.publish(subject, text.encode('a'));
  const answered = answeredTwice(connection).then(() => null);
  const refused = (async () => {
    for await (const { type, data } of states) if (type === 'error') return String(data);
    return null;
  })();
  return (await Promise.race([answered, refused])) ?? null;
}

/** The same of a subscription. */
function refusalOfSubscribe(connection: NatsConnection, subject: string): Promise<string | null> {
  return new Promise((resolve) => {
    connection.subscribe(subject, { callback: (error) => resolve(error ? error.code : null) });
    void answeredTwice(connection).then(() => resolve(null));
  });
}

const violation = 'PERMISSIONS_VIOLATION';

describe('an agent', () => {
  test('may say what is its own, and nothing as another agent or as the console', async () => {
    const agent = await joined(one);
    expect(await refusalOfPublish(agent, `whiteline.from.${one.user}.presence`)).toBeNull();
    for (const subject of [
      `whiteline.from.${other.user}.presence`,
      `whiteline.from.${one.user}`,
      `whiteline.to.${one.user}.ask`,
      `whiteline.to.${other.user}.ask`,
      '_INBOX_console.a.b',
      '$SYS.REQ.SERVER.PING',
      'anything',
    ])
      expect([subject, await refusalOfPublish(agent, subject)]).toEqual([subject, violation]);
  });

  test('may hear what is said to it, and nothing else', async () => {
    const agent = await joined(one);
    for (const subject of [`whiteline.to.${one.user}.>`, `whiteline.from.${one.user}.claim`])
      expect([subject, await refusalOfSubscribe(agent, subject)]).toEqual([subject, null]);
    for (const subject of [
      `whiteline.to.${other.user}.ask`,
      'whiteline.to.>',
      `whiteline.from.${one.user}.presence`,
      `whiteline.from.${other.user}.claim`,
      `whiteline.from.${one.user}.>`,
      'whiteline.from.>',
      '_INBOX_console.>',
      '_INBOX.>',
      '$SYS.>',
      '>',
      '*',
    ])
      expect([subject, await refusalOfSubscribe(agent, subject)]).toEqual([subject, violation]);
  });

  test('answers a request of the console, in several messages too', async () => {
    const agent = await joined(one);
    const asked = agent.subscribe(`whiteline.to.${one.user}.ask`, {
      callback: (_, message) => {
        message.respond(text.encode('first'));
        message.respond(text.encode('second'));
      },
    });
    await agent.flush();
    expect(asked.isClosed()).toBe(false);
    const commander = await console();
    const answers: string[] = [];
    const heard = new Promise<void>((resolve) => {
      commander.subscribe('_INBOX_console.here', {
        max: 2,
        callback: (_, { data }) => {
          answers.push(text.decode(data));
          if (answers.length === 2) resolve();
        },
      });
    });
    commander.publish(`whiteline.to.${one.user}.ask`, text.encode('?'), { reply: '_INBOX_console.here' });
    await heard;
    expect(answers).toEqual(['first', 'second']);
  });
});

test('the console hears all agents, asks each, and says nothing in their name', async () => {
  const commander = await console();
  expect(await refusalOfSubscribe(commander, 'whiteline.from.>')).toBeNull();
  expect(await refusalOfPublish(commander, `whiteline.to.${one.user}.ask`)).toBeNull();
  expect(await refusalOfPublish(commander, `whiteline.from.${one.user}.presence`)).toBe(violation);
  expect(await refusalOfSubscribe(commander, 'whiteline.to.>')).toBe(violation);
});

describe('the server refuses', () => {
  const unauthorized = { code: 'AUTHORIZATION_VIOLATION' };

  test('a wrong secret, an unknown user, the secret of another, and none', async () => {
    await expect(joined({ ...one, secret: 'x'.repeat(43) })).rejects.toMatchObject(unauthorized);
    await expect(joined({ ...one, user: 'x'.repeat(16) })).rejects.toMatchObject(unauthorized);
    await expect(joined({ ...one, user: other.user })).rejects.toMatchObject(unauthorized);
    await expect(joined({ ...one, user: 'console' })).rejects.toMatchObject(unauthorized);
    await expect(joined(one, { user: undefined, pass: undefined })).rejects.toMatchObject(unauthorized);
  });

  test('whoever trusts another authority refuses the server', async () => {
    await expect(joined({ ...one, certificateAuthority: selfSigned.cert })).rejects.toThrow(
      /unable to verify|self.signed|signature/i,
    );
  });

  test('a connection without TLS, with the right secret', async () => {
    const socket = connectSocket(fleet.site.settings.port, '127.0.0.1');
    let said = '';
    socket.on('data', (bytes) => {
      said += bytes.toString();
      const { user, secret: pass } = one;
      socket.write(`CONNECT ${JSON.stringify({ user, pass, verbose: true })}\r\nPING\r\n`);
    });
    await once(socket, 'close');
    expect(said).toContain('"tls_required":true');
    expect(said).not.toMatch(/\+OK|PONG/);
  });
});

test('however often strangers try, each kind of warning is one line in a minute', async () => {
  for (let number = 0; number < 12; number++) {
    const user = `stranger-${number}`;
    await expect(joined({ ...one, user })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
    const socket = connectSocket(fleet.site.settings.port, '127.0.0.1');
    await once(socket, 'data');
    socket.end(`${number} no TLS\r\n`);
    await once(socket.resume(), 'close');
  }
  // The server logs as it goes on.
  await vi.waitFor(() => expect(warnings.some((line) => line.includes('first record'))).toBe(true));
  const kinds = ['authentication error', 'first record does not look like a TLS handshake'];
  expect(kinds.map((kind) => [kind, warnings.filter((line) => line.includes(kind)).length])).toEqual(
    kinds.map((kind) => [kind, 1]),
  );
});

test('another secret for an agent ends the connection that has the old one, and the id stays', async () => {
  const before = await invited('third');
  const old = await joined(before);
  const after = await invited('third', true);
  expect(after).toMatchObject({ user: before.user, agent: before.agent });
  expect(after.secret).not.toBe(before.secret);
  await old.closed();
  await expect(joined(before)).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
  expect((await joined(after)).isClosed()).toBe(false);
});

/** What the certificate names that the server shows now. */
async function shownNames(): Promise<string> {
  const socket = connectSocket(fleet.site.settings.port, '127.0.0.1');
  await once(socket, 'data');
  const secure = connectSecurely({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  const { subjectaltname } = secure.getPeerCertificate();
  secure.destroy();
  return subjectaltname;
}

test('a machine that gets another address has it in the certificate of the running server', async () => {
  const agent = await joined(one);
  expect(await shownNames()).toBe('IP Address:127.0.0.1, DNS:localhost, DNS:stage');
  addresses = ['192.0.2.7'];
  refresh();
  await vi.waitFor(
    async () =>
      expect(await shownNames()).toBe('IP Address:127.0.0.1, IP Address:192.0.2.7, DNS:localhost, DNS:stage'),
    60_000,
  );
  expect(agent.isClosed()).toBe(false);
});

test('a file that is damaged while the server runs is a warning, and the server goes on', async () => {
  const file = join(siteFiles(folder).agents, 'one.json');
  const before = readFileSync(file);
  writeFileSync(file, '');
  refresh();
  expect(warnings.at(-1)).toContain(`${file} is damaged. Delete this file`);
  writeFileSync(file, before);
  expect((await joined(one)).isClosed()).toBe(false);
});
