import { EventEmitter, once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { preflightParameters } from '../declaration';
import { encodeQuestions, recordTypes } from '../dns-message';
import { discovery } from './discovery';

/** A port of its own, at which nothing comes but what a test makes up. */
class MadeUpSocket extends EventEmitter {
  isOpen = true;
  sent: Buffer[] = [];

  bind(_port: number, _address: string, bound: () => void): void {
    bound();
  }
  setMulticastInterface(): void {}
  setMulticastTTL(): void {}
  send(message: Buffer): void {
    this.sent.push(message);
    sends.emit('sent', this);
  }
  close(): void {
    this.isOpen = false;
  }
}

const sends = new EventEmitter();

vi.mock('node:dgram', () => ({
  createSocket: () => new MadeUpSocket(),
}));
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  hostname: () => 'here.example',
  networkInterfaces: () => ({ eth0: [{ family: 'IPv4', internal: false, address: '192.0.2.7' }] }),
}));
vi.mock('../../../engine/machine/discovery-daemon', () => ({
  readDiscoveryDaemon: async () => ({ isLooked: true, isRunning: true, busAnswers: true }),
}));

/** The address of a name, as avahi gives it. */
function answerOf(name: string): Buffer {
  const question = encodeQuestions([{ name, type: recordTypes.a }]);
  const header = Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  // A time to live of 120 s, and an address of 4 bytes.
  return Buffer.concat([header, question.subarray(12), Buffer.from([0, 0, 0, 120, 0, 4, 192, 0, 2, 7])]);
}

test('the first answer is enough, and what is no answer is none', async () => {
  // However long this machine takes, the wait is not over.
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked: Promise<MadeUpSocket[]> = once(sends, 'sent');
  const line = discovery.run({
    ...{ clock: new SimulatedClock(), parameters: preflightParameters.parse({}), interfaceName: 'eth0' },
    ...{ driver: '', hostAddress: null, signal: new AbortController().signal },
    host: { request: () => Promise.reject(new Error('no host is asked')) },
    runTool: () => Promise.reject(new Error('no tool is run')),
  });
  const [socket] = await asked;
  const question = encodeQuestions([{ name: 'here.local', type: recordTypes.a }]);
  expect(socket?.sent).toEqual([question]);
  const from = { address: '192.0.2.7' };
  // A question of others.
  socket?.emit('message', question, from);
  expect(socket?.isOpen).toBe(true);
  socket?.emit('message', answerOf('here.local'), from);
  expect(socket?.isOpen).toBe(false);
  expect(await line).toMatchObject({ state: 'ok', details: { answeredBy: ['192.0.2.7'] } });
});
