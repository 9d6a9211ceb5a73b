import { expect, test } from 'vitest';
import type { HostProcess } from '../engine/host-application';
import type { PreviewMessage } from '../protocol/console';
import { WhitelineError } from '../protocol/errors';
import { mostPreviewBytes, remotePreviewLimits } from '../protocol/fleet/remote-preview';
import type { FakeHost, FakePreviewPort } from '../testing/fake-application';
import { mutated } from '../testing/fuzz/mutate';
import { cases, Random, seeds } from '../testing/random';
import { encodeValue } from './bus/codec';
import { Bench, leaseKeyOf } from './fleet.fixture';

const wish = { streamId: 1, maxWidth: 144, after: 0 };
const none = { kind: 'none' };

function previewOf(streamId: number, frameNumber: number, [width, height] = [144, 81]): PreviewMessage {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(frameNumber);
  return { type: 'preview', streamId, width, height, frameNumber, confirm: frameNumber % 2 === 0, pixels };
}

/** A console with a receiving host on the agent's machine, and streams 1 and 2 in it. */
async function receiving(): Promise<{ bench: Bench; remote: HostProcess; host: FakeHost }> {
  const bench = new Bench();
  bench.agent();
  const remote = (await bench.remote()).spawnStreamHost('receiving');
  for (const streamId of [1, 2])
    remote.post({
      ...{ type: 'request', requestId: streamId },
      command: { name: 'openReceiver', streamId, sourceName: 'M (s)', askTime: false },
    });
  await bench.clock.pass(0);
  return { bench, remote, host: bench.application.host('receiving') };
}

/** The port that is open now. */
function portOf({ previewPorts }: FakeHost): FakePreviewPort {
  const open = previewPorts.filter(({ isClosed }) => !isClosed);
  expect(open).toHaveLength(1);
  return open[0] as FakePreviewPort;
}

test('a console gets the newest picture of a stream that it asks for, each of them once', async () => {
  const { bench, remote, host } = await receiving();
  expect(host.previewPorts).toEqual([]);
  expect(await remote.preview?.(wish)).toEqual(none);
  const port = portOf(host);
  const streams = [{ streamId: 1, maxWidth: 144 }];
  expect(port.asked).toEqual([{ type: 'subscribe', rateHz: 2, streams }]);
  port.post(previewOf(1, 7));
  port.post(previewOf(1, 8));
  const picture = await remote.preview?.(wish);
  expect(picture).toEqual({
    ...{ kind: 'picture', number: 2, width: 144, height: 81, frameNumber: 8 },
    pixels: new Uint8Array(144 * 81 * 3).fill(8),
  });
  // That the host waits for.
  expect(port.asked.slice(1)).toEqual([{ type: 'confirmed', streamId: 1 }]);
  await bench.clock.pass(1000);
  expect(await remote.preview?.({ ...wish, after: 2 })).toEqual(none);
});

test('previews are made while they are asked for, and no longer; none without a question, as of a run of the command line', async () => {
  const { bench, remote, host } = await receiving();
  await bench.clock.pass(10_000);
  expect(host.previewPorts).toEqual([]);
  for (const streamId of [1, 2]) await remote.preview?.({ ...wish, streamId });
  const port = portOf(host);
  for (let second = 0; second < 5; second++) {
    await bench.clock.pass(1000);
    await remote.preview?.(wish);
  }
  expect(port.asked.at(-1)).toMatchObject({ streams: [{ streamId: 1 }] });
  await bench.clock.pass(5000);
  expect(port.isClosed).toBe(true);
  await remote.preview?.(wish);
  expect(portOf(host)).not.toBe(port);
});

test('records go first: while they wait for the bus, no picture is sent', async () => {
  const { bench, remote, host } = await receiving();
  await remote.preview?.(wish);
  portOf(host).post(previewOf(1, 7));
  bench.channels.to('from').isBehind = true;
  expect(await remote.preview?.(wish)).toEqual({ kind: 'behind' });
  bench.channels.to('from').isBehind = false;
  expect(await remote.preview?.(wish)).toMatchObject({ kind: 'picture' });
});

test('an agent gives no more pictures than a machine may send, whoever asks how often', async () => {
  const { bench, remote, host } = await receiving();
  await remote.preview?.(wish);
  let pictures = 0;
  for (let asked = 0; asked < 100; asked++) {
    portOf(host).post(previewOf(1, asked + 1));
    if ((await remote.preview?.(wish))?.kind === 'picture') pictures++;
    await bench.clock.pass(10);
  }
  expect(pictures).toBe(5);
});

test('what is not received there, or belongs to another lease, has no picture', async () => {
  const { bench, remote, host } = await receiving();
  expect(await remote.preview?.({ ...wish, streamId: 3 })).toEqual(none);
  expect(host.previewPorts).toEqual([]);
  const { id } = bench.identity;
  const ask = (command: object): Promise<unknown> =>
    bench.bus.request(`whiteline.to.${id}.preview`, { name: 'preview', ...wish, ...command });
  const refused = { hostId: 'a1b2c3', fence: 7, key: leaseKeyOf('control-1') };
  await expect(ask(refused)).rejects.toMatchObject({ code: 'LEASE_ENDED' });
  await expect(ask({ ...refused, fence: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(ask({ ...refused, fence: 1, key: leaseKeyOf('control-2') })).rejects.toMatchObject({
    code: 'LEASE_ENDED',
  });
  await expect(ask({ ...refused, maxWidth: 3840 })).rejects.toMatchObject({ code: 'BAD_INPUT' });
});

test.each([
  [160, 90],
  [160, 120],
  [160, 284],
  [3840, 2160],
  [16, 1600],
  [1, 3],
])('a picture of %i×%i is sent within the limits', async (width, height) => {
  const { remote, host } = await receiving();
  await remote.preview?.(wish);
  portOf(host).post(previewOf(1, 9, [width, height]));
  const picture = await remote.preview?.(wish);
  if (picture?.kind !== 'picture') throw new Error('there is no picture');
  const pixels = picture.width * picture.height;
  expect(pixels).toBeLessThanOrEqual(remotePreviewLimits.mostPixels);
  expect(picture.pixels).toEqual(new Uint8Array(3 * pixels).fill(9));
  const bytes = encodeValue({ value: picture }).length;
  expect(bytes - picture.pixels.length).toBeLessThan(100);
  // As docs/fleet.md says of all pictures of one machine.
  expect(remotePreviewLimits.perSecondInAll * bytes).toBeLessThan(231_000);
});

test('whatever an agent is asked for pictures, it answers or refuses in words, and goes on', async () => {
  const { bench, remote, host } = await receiving();
  const [seed] = seeds;
  const hostId = bench.channels.to('from').sends.split('.').at(-1);
  const subject = `whiteline.to.${bench.identity.id}.preview`;
  await remote.preview?.(wish);
  for (let index = 0; index < cases(200, 5000); index++) {
    const asked = mutated({ name: 'preview', fence: 1, hostId, ...wish }, new Random(seed + index));
    await bench.bus.request(subject, asked).catch((error) => expect(error).toBeInstanceOf(WhitelineError));
    await bench.clock.pass(300);
    portOf(host).post(previewOf(1, index + 1));
    expect(await remote.preview?.(wish)).toMatchObject({ frameNumber: index + 1 });
    await bench.clock.pass(300);
  }
  expect(host.killed).toBe(false);
});

test('whatever an agent answers, a console has a small picture or a refusal', async () => {
  const { bench, remote } = await receiving();
  const [seed] = seeds;
  const size = { width: 160, height: 120, frameNumber: 5, number: 1 };
  const good = [
    { kind: 'picture', ...size, pixels: new Uint8Array(mostPreviewBytes) },
    { kind: 'picture', ...size, width: 2, height: 1, pixels: new Uint8Array(6) },
    { kind: 'none' },
    { kind: 'behind' },
  ];
  let answer: unknown = null;
  bench.bus.serve(`whiteline.to.${bench.identity.id}.preview`, async () => answer);
  let [pictures, refusals] = [0, 0];
  for (let index = 0; index < cases(200, 5000); index++) {
    const random = new Random(seed + index);
    answer = mutated(random.pick(good), random);
    try {
      const taken = await remote.preview?.(wish);
      if (taken?.kind !== 'picture') continue;
      pictures++;
      const { width, height, pixels } = taken;
      expect(pixels.length, `WHITELINE_SEED=${seed + index}`).toBe(width * height * 3);
      expect(pixels.length).toBeLessThanOrEqual(mostPreviewBytes);
    } catch (error) {
      expect(error, `WHITELINE_SEED=${seed + index}`).toMatchObject({ code: 'TOOL_FAILED' });
      refusals++;
    }
  }
  expect(Math.min(pictures, refusals)).toBeGreaterThan(0);
});
