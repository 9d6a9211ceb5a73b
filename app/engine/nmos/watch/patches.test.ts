import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { SeenResources, SeenType } from '../../../nmos/controller/resources';
import { toProblem } from '../../../protocol/errors';
import { nmosId } from '../../../testing/nmos-resources';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { Patches } from './patches';
import type { RegistryReader } from './registry-reader';

const receiverOf = (number: number): string => nmosId(5, number);

/** Resolves to the URL of a Connection API that accepts connections and never answers. */
async function silentDevice(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(
    0,
    '127.0.0.1',
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x-nmos/connection/v1.1/`;
}

/** What is read of a registry with one device and so many receivers. */
function registryWith(href: string, receivers: number): Pick<RegistryReader, 'url' | 'all'> {
  const core = { version: '1:0', transport: 'urn:x-nmos:transport:rtp', isActive: false };
  const device = {
    ...{ ...core, id: nmosId(1, 1), nodeId: nmosId(0, 1), label: 'rack' },
    controls: [{ type: 'urn:x-nmos:control:sr-ctrl/v1.1', href }],
  };
  const all: { [Type in SeenType]: Map<string, SeenResources[Type]> } = {
    node: new Map(),
    device: new Map([[device.id, device]]),
    sender: new Map(),
    receiver: new Map(),
  };
  for (let number = 1; number <= receivers; number++) {
    const id = receiverOf(number);
    const format = 'urn:x-nmos:format:video';
    all.receiver.set(id, { ...core, id, label: `in ${number}`, deviceId: device.id, format, senderId: null });
  }
  return { url: 'http://127.0.0.1:8010', all: (type) => all[type] };
}

test('a device that does not answer ends its patch after the time that one has', async () => {
  const clock = new SimulatedClock();
  const patches = new Patches(clock, () => {});
  const reader = registryWith(await silentDevice(), 1);
  const connected = patches.connect(reader, receiverOf(1), null);
  await clock.pass(10_000);
  await connected;
  expect(patches.all).toMatchObject([
    {
      ...{ id: 1, receiverId: receiverOf(1), state: 'failed' },
      problem: {
        ...{ code: 'NOT_FOUND', field: 'device', value: nmosId(1, 1) },
        message: 'No answer within 10 s from the device rack',
      },
    },
  ]);
});

test('so many are pending at once, one for a receiver, and all of them end with the engine', async () => {
  const patches = new Patches(new SimulatedClock(), () => {});
  const reader = registryWith(await silentDevice(), 20);
  const refused = (number: number): Promise<unknown> =>
    patches.connect(reader, receiverOf(number), null).then(() => null, toProblem);
  const pending = [patches.connect(reader, receiverOf(1), null)];
  const tooEarly = { code: 'BAD_INPUT', message: 'Earlier connection requests are still pending' };
  expect(await refused(1)).toMatchObject(tooEarly);
  for (let number = 2; number <= 16; number++)
    pending.push(patches.connect(reader, receiverOf(number), null));
  expect(await refused(17)).toMatchObject(tooEarly);
  expect(patches.all.map(({ state }) => state)).toEqual(Array.from({ length: 16 }, () => 'pending'));
  patches.close();
  await Promise.all(pending);
  expect(patches.all.map(({ state }) => state)).toEqual(Array.from({ length: 16 }, () => 'failed'));
});
