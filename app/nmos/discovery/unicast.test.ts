import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { decodeMessage, encodeResponse, type ServiceRecord } from './codec';
import { serviceTypes } from './service-types';
import { browseUnicast, type UnicastBrowsing } from './unicast';

/** Answers bytes to a question; null says nothing. */
type Answering = (question: { id: number; name: string; type: string }) => Buffer | null;

const domain = 'studio.example';
const instance = 'registry no. 1';
const name = `${instance}._nmos-register._tcp.${domain}`;
const common = { ttlSeconds: 60, isFlush: false };
const txt = ['api_proto=http', 'api_ver=v1.3', 'api_auth=false', 'pri=0'];
const records: ServiceRecord[] = [
  { ...common, name: `_nmos-register._tcp.${domain}`, type: 'PTR', target: name },
  { ...common, name, type: 'SRV', target: `host.${domain}`, port: 8010 },
  { ...common, name, type: 'TXT', texts: txt },
  { ...common, name: `host.${domain}`, type: 'A', address: '192.0.2.7' },
];

function good({ id, name: asked, type }: { id: number; name: string; type: string }): Buffer {
  const answers = records.filter((record) => record.name === asked && record.type === type);
  return encodeResponse({ id, answers });
}

/** A server on loopback that answers datagrams, and connections at the same port, until the test ends. */
async function serve(answer: Answering, ofConnection: Answering = answer): Promise<number> {
  const read = (bytes: Buffer, by: Answering): Buffer | null => {
    const message = decodeMessage(bytes);
    const [question] = message?.questions ?? [];
    return message && question ? by({ id: message.id, ...question }) : null;
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const reply = read(bytes.subarray(2), ofConnection);
      if (!reply) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      // In parts, as a network may hand it over.
      for (const part of [length.subarray(0, 1), length.subarray(1), reply]) socket.write(part);
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket('udp4');
  datagrams.on('message', (bytes, { port: from, address }) => {
    const reply = read(bytes, answer);
    if (reply) datagrams.send(reply, from, address);
  });
  await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    datagrams.close();
    server.close();
  });
  return port;
}

let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

function browse(port: number, timeoutMs = 5000): Promise<UnicastBrowsing> {
  return browseUnicast({ address: '127.0.0.1', port }, domain, [serviceTypes.register], timeoutMs, clock);
}

/** Time passes for each of the first tries of a browsing only when its question has come. */
async function passTries(questions: () => number, count: number, eachMs: number): Promise<void> {
  for (let sent = 1; sent <= count; sent++) {
    await vi.waitFor(() => expect(questions()).toBeGreaterThanOrEqual(sent), { interval: 5 });
    await clock.pass(eachMs);
  }
}

function withFlags(bytes: Buffer, flags: number): Buffer {
  bytes.writeUInt16BE(bytes.readUInt16BE(2) | flags, 2);
  return bytes;
}

describe('a domain at a DNS server', () => {
  it('is browsed by PTR, SRV, TXT and addresses, also for a name with dots and blanks', async () => {
    const { services, problem } = await browse(await serve(good));
    expect(problem).toBeNull();
    expect(services).toMatchObject([
      {
        instance,
        domain,
        host: `host.${domain}`,
        port: 8010,
        addresses: ['192.0.2.7'],
        priority: 0,
        faults: [],
      },
    ]);
  });

  it('is asked by connection where the answer does not fit a datagram', async () => {
    const cut: Answering = ({ id }) => withFlags(encodeResponse({ id }), 0x0200);
    const { services, problem } = await browse(await serve(cut, good));
    expect(problem).toBeNull();
    expect(services).toHaveLength(1);
  });

  it('that does not exist has no services', async () => {
    const none: Answering = ({ id }) => withFlags(encodeResponse({ id }), 3);
    expect(await browse(await serve(none))).toEqual({ services: [], problem: null });
  });

  it.each([
    ['a server that refuses', 5],
    ['a server that failed', 2],
  ])('%s is named by its code', async (_, rcode) => {
    const refusing: Answering = ({ id }) => withFlags(encodeResponse({ id }), rcode);
    expect(await browse(await serve(refusing))).toEqual({
      services: [],
      problem: { code: 'error-answer', rcode },
    });
  });

  it('a server that says nothing is named, after three tries', async () => {
    let asked = 0;
    const silent: Answering = () => {
      asked++;
      return null;
    };
    const port = await serve(silent);
    const browsing = browse(port, 90);
    await passTries(() => asked, 3, 30);
    expect([(await browsing).problem, asked]).toEqual([{ code: 'silent', afterMs: 90 }, 3]);
  });

  it('a port at which nothing listens is named', async () => {
    const port = await serve(good);
    expect(
      (await browseUnicast({ address: '127.0.0.2', port }, domain, [serviceTypes.register], 5000, clock))
        .problem,
    ).toEqual({
      code: 'unreachable',
      reason: 'connection refused, nothing listens on that port',
    });
  });

  it('rubbish, questions and answers to others are passed over', async () => {
    const port = await serve((question) => {
      // Only the last of these is an answer, and each try gets one of them.
      tries++;
      if (tries === 1) return Buffer.from('rubbish');
      if (tries === 2) return good({ ...question, id: question.id ^ 1 });
      return good(question);
    });
    let tries = 0;
    const browsing = browse(port, 300);
    await passTries(() => tries, 2, 100);
    expect((await browsing).services).toHaveLength(1);
  });

  it('an answer by connection that is cut, or rubbish, is named', async () => {
    const cut: Answering = ({ id }) => withFlags(encodeResponse({ id }), 0x0200);
    const rubbish: Answering = () => Buffer.from('rubbish');
    expect((await browse(await serve(cut, rubbish))).problem).toEqual({ code: 'unreadable' });
    expect((await browse(await serve(cut, () => Buffer.alloc(0)))).problem).toEqual({ code: 'unreadable' });
  });

  it('with an entry that leads nowhere has it with its faults', async () => {
    const half: Answering = ({ id, name: asked, type }) =>
      type === 'PTR' ? good({ id, name: asked, type }) : withFlags(encodeResponse({ id }), 3);
    const { services } = await browse(await serve(half));
    expect(services[0]?.faults).toEqual([{ code: 'no-srv' }, { code: 'no-txt' }]);
  });

  it('of a name that DNS cannot carry is refused', async () => {
    const long = browseUnicast(
      { address: '127.0.0.1', port: 53 },
      `${'x'.repeat(64)}.org`,
      [serviceTypes.register],
      100,
      clock,
    );
    await expect(long).rejects.toThrow('Expected 1 to 63 bytes for name');
  });
});
