import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReceiverOptions, SenderOptions } from '../../native/addon/index';
import type { HostCommand, OpenSource } from '../protocol/host';
import { type Fault, LateCause } from '../protocol/records';
import { parseSharedRecords } from '../protocol/shared-records';
import type { SocketTraffic } from '../protocol/socket-traffic';
import type { Standstill } from '../protocol/standstill';
import { misses, sourceRecords, submits } from '../testing/columns';
import { sourceStatus } from '../testing/movie-facts';
import { sharedLoad } from '../testing/shared-load';
import { SimulatedClock } from '../testing/simulated-clock';

/** What a native core does that sends and receives, as far as the host can see. */
const world = {
  nowNs: 0,
  skews: [] as unknown[],
  senders: [] as FakeSender[],
  receivers: [] as FakeReceiver[],
  listed: [] as { name: string; address: string }[],
  /** What each drain of the source brings. */
  slots: [] as number[],
  looks: 0,
  standstills: [] as Standstill[],
  traffic: null as SocketTraffic | null,
};

class FakeSender {
  faults: Fault[] = [];
  metadata: string[] = [];
  drained = 0;
  constructor(readonly options: SenderOptions) {
    world.senders.push(this);
  }
  status = () => ({
    connections: 1,
    firstSlot: 0,
    metadataDropped: 2,
    realTimeFinding: '',
    sourceName: `PC (${this.options.name})`,
  });
  drain() {
    this.drained += 1;
    return submits(world.slots);
  }
  drainMisses = () => misses([]);
  setFaults(faults: Fault[]): void {
    this.faults = faults;
  }
  sendMetadata(xml: string): void {
    this.metadata.push(xml);
  }
  close(): void {}
}

class FakeReceiver {
  stalls: unknown;
  timeRateHz = 0;
  constructor(readonly options: ReceiverOptions) {
    world.receivers.push(this);
  }
  status = () => ({ connections: 1, picturesCaptured: 1 });
  drain = () => 'captures';
  drainAudio = () => 'audio';
  takePeakDbfs = () => -20;
  drainTime = () => 'time';
  drainMetadata = () => [];
  setStalls(stalls: unknown): void {
    this.stalls = stalls;
  }
  askTime({ rateHz }: { rateHz: number }): void {
    this.timeRateHz = rateHz;
  }
  close(): void {}
}

vi.mock('../../native/addon/index', () => ({
  loadAddon: () => ({
    monotonicNs: () => {
      world.nowNs += 1e8;
      return world.nowNs;
    },
    setThreadPolicy: () => undefined,
    socketTraffic: () => world.traffic,
    skewClock: (skew: unknown) => world.skews.push(skew),
    loadNdi: () => ({ path: '/libndi.so', version: '6.0' }),
    Sender: FakeSender,
    Receiver: FakeReceiver,
    Finder: class {
      sources() {
        world.looks += 1;
        return world.listed;
      }
      close(): void {}
    },
    StandstillWatch: class {
      drain = () => world.standstills.splice(0);
      close(): void {}
    },
    Source: class {
      status = () => sourceStatus({ sourceId: 4711, startNs: 5 });
      drain = () => sourceRecords(world.slots, new Map(world.slots.map((slot) => [slot, LateCause.Disk])));
      close(): void {}
    },
  }),
}));

const { Host } = await import('./host');

const options: OpenSource = {
  ...{ kind: 'white-line', width: 640, height: 360, rateNumerator: 30, rateDenominator: 1 },
  pixelFormat: 'uyvy',
};
const start: HostCommand = { name: 'start', transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 42 };
let host: InstanceType<typeof Host>;

beforeEach(() => {
  Object.assign(world, {
    nowNs: 0,
    skews: [],
    senders: [],
    receivers: [],
    listed: [],
    slots: [],
    looks: 0,
    traffic: null,
  });
  host = new Host(() => undefined, new SimulatedClock());
});
afterEach(() => vi.unstubAllEnvs());

function execute(command: HostCommand) {
  return host.execute({ type: 'request', requestId: 1, command });
}

async function openSender(streamId: number, shareRecords: boolean, audio = true): Promise<FakeSender> {
  await execute({ name: 'openSender', streamId, sourceId: 1, senderName: 'x', shareRecords, audio });
  return world.senders[world.senders.length - 1] as FakeSender;
}

test('what a log lacks in all comes with the records before the reply to its end', async () => {
  await execute(start);
  const receiver = { name: 'openReceiver', streamId: 1, sourceName: 'PC (x)', askTime: false } as const;
  await execute({ ...receiver, address: '192.0.2.7:5961', captureLogPath: '/logs/captured-1.log' });
  const lacks = { missing: 3, why: 'No space left', isEnded: true };
  Object.assign(world.receivers.at(-1) ?? {}, { captureLog: () => lacks });
  const gap = { streamId: 1, frames: 3, why: 'No space left' };
  expect(host.drain().logGaps).toEqual([{ ...gap, isFinal: false }]);
  expect(host.drain().logGaps).toBeUndefined();
  await execute({ name: 'closeReceiver', streamId: 1 });
  expect(host.drain().logGaps).toEqual([{ ...gap, isFinal: true }]);
});

test('a sender sends sound where it is to, and answers for the time where it shares its records', async () => {
  await execute(start);
  await execute({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options });
  const silent = await openSender(1, true, false);
  expect(silent.options).toMatchObject({ senderId: 1, name: 'x', audio: false, answerTime: true });
  const plain = await openSender(2, false);
  expect(plain.options).toMatchObject({ audio: true, answerTime: false });
});

test('pictures that stand for more than a second have no sound', async () => {
  await execute(start);
  const slow = { ...options, rateNumerator: 1, rateDenominator: 2 };
  await execute({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options: slow });
  expect((await openSender(1, true)).options.audio).toBe(false);
});

test('all senders of a source report its late slots, each of them once, and what is drained is reported to the engine too', async () => {
  await execute(start);
  await execute({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options });
  const senders = [await openSender(1, true), await openSender(2, true), await openSender(3, false)];
  await execute({ name: 'sendLoad', load: sharedLoad({ measuredNs: 5, cpuPercent: 93 }) });
  const engine: number[] = [];
  for (let batch = 0; batch < 12; batch++) {
    world.slots = [2 * batch, 2 * batch + 1];
    world.nowNs += 3e8;
    const { sources, senders: reports } = host.drain();
    engine.push(...(sources[0]?.records.frameNumber ?? []));
    for (const report of reports) expect([...report.submits.frameNumber]).toEqual(world.slots);
  }
  expect(engine).toEqual(Array.from({ length: 24 }, (_, slot) => slot));
  for (const sender of senders.slice(0, 2)) {
    const reported = sender.metadata.map((xml) => parseSharedRecords(xml));
    expect(reported.flatMap((records) => [...(records?.late.frameNumber ?? [])])).toEqual(engine);
    expect(reported.flatMap((records) => [...(records?.submitted ?? [])])).toEqual(engine);
    expect(reported[0]).toMatchObject({ load: { cpuPercent: 93 }, sourceId: 4711, wallOffsetUs: 42 });
    expect(reported[0]?.boot).not.toBe('');
    expect(sender.drained).toBe(12);
  }
  expect(senders[2]?.metadata).toEqual([]);
});

test('senders report with their records how long their process stood still until then', async () => {
  await execute(start);
  await execute({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options });
  const sender = await openSender(1, true);
  const pieces: [Standstill['kind'], number][] = [
    ['stopped', 1200],
    ['starved', 60.4],
    ['stopped', 100],
  ];
  const sums = pieces.map(([kind, ms]) => {
    world.standstills = [{ kind, fromNs: 5e9, toNs: 5e9 + ms * 1e6 }];
    world.nowNs += 3e8;
    host.drain();
    return parseSharedRecords(sender.metadata.at(-1) ?? '')?.standstills;
  });
  expect(sums).toEqual([
    { stoppedMs: 1200, starvedMs: 0 },
    { stoppedMs: 1200, starvedMs: 60 },
    { stoppedMs: 1300, starvedMs: 60 },
  ]);
});

test('the host looks at its own sockets at every second beat, and reports when it did', async () => {
  expect(host.drain().traffic).toBeNull();
  await execute(start);
  const carried = { receivedBytes: 1, tcpSockets: 2, udpSockets: 0, gaps: 0, newestGap: null };
  // The clock of the fake goes on by 100 ms at each look at it.
  const looks = Array.from({ length: 5 }, (_, beat) => {
    world.nowNs = 250e6 * beat;
    world.traffic = { sentBytes: beat, ...carried };
    return host.drain().traffic;
  });
  expect(looks.map((look) => look?.atNs)).toEqual([1e8, 1e8, 6e8, 6e8, 11e8]);
  expect(looks.map((look) => look?.sockets?.sentBytes)).toEqual([0, 0, 2, 2, 4]);
});

test('stalls go to the receiver, all other faults to the sender', async () => {
  await execute(start);
  await execute({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options });
  const sender = await openSender(1, false);
  await execute({ name: 'openReceiver', streamId: 1, sourceName: 'x', address: 'a:1', askTime: false });
  const skip: Fault = { verb: 'skip', first: 3, last: 4 };
  const delay: Fault = { verb: 'delay', first: 9, last: 9, delayMs: 50 };
  await execute({
    name: 'setFaults',
    streamId: 1,
    faults: [skip, { verb: 'stall', first: 5, last: 6 }, delay],
  });
  expect(sender.faults).toEqual([skip, delay]);
  expect(world.receivers[0]?.stalls).toEqual([{ first: 5, last: 6 }]);
});

test('what a receiver recorded is reported, and the list of sources is fetched once for all of them', async () => {
  await execute(start);
  world.listed = [{ name: 'PC (a)', address: '127.0.0.1:1' }];
  await execute({ name: 'openReceiver', streamId: 1, sourceName: 'a', askTime: true });
  await execute({ name: 'openReceiver', streamId: 2, sourceName: 'b', askTime: true });
  const { receivers } = host.drain();
  expect(receivers).toMatchObject([
    { streamId: 1, listed: true, sourceName: 'PC (a)', captures: 'captures', audio: 'audio', time: 'time' },
    { streamId: 2, listed: false, sourceName: '', status: null },
  ]);
  expect(world.looks).toBe(1);
  expect(world.receivers[0]).toMatchObject({ timeRateHz: 5, options: { wallOffsetUs: 42 } });
});

test('with another machine’s clock a host says so before all else, and says nothing of which machine it is', async () => {
  vi.stubEnv('WHITELINE_CLOCK_SKEW', '37ms,20ppm');
  await execute(start);
  expect(world.skews).toEqual([{ offsetMs: 37, partsPerMillion: 20 }]);
  await execute({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options });
  const sender = await openSender(1, true);
  host.drain();
  expect(parseSharedRecords(sender.metadata[0] ?? '')?.boot).toBe('');
});

test('a clock that no one understands is refused', async () => {
  vi.stubEnv('WHITELINE_CLOCK_SKEW', '37');
  await expect(execute(start)).rejects.toMatchObject({ code: 'BAD_INPUT', field: 'WHITELINE_CLOCK_SKEW' });
  expect(world.skews).toEqual([]);
});
