import { execSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { pacingParameters } from '../../../protocol/experiments/pacing/declaration';
import { madeUpPlan } from '../../../testing/made-up-pacing';
import { openFilesOf } from '../../../testing/process-files';
import {
  expectSame,
  type Recomputed,
  readHolds,
  readStamps,
  recomputedOf,
  type Stamp,
} from '../../../testing/recomputed-pacing';
import { temporaryFolder } from '../../../testing/temporary-folder';
import { Helpers } from '../../capabilities/helper/helpers';
import { machineClock } from '../../clock';
import type { Place } from '../../tools/namespace';
import { type Measured, measure } from './measure';
import { type OpenPath, openPath } from './path';
import { type RowPlan, streamPlan } from './stream-plan';

// Own namespaces need root, as those of e2e/network do.
const folder = temporaryFolder();
const helpers = new Helpers(machineClock, () => undefined);
const opened: OpenPath[] = [];
let rows = 0;

afterEach(async () => {
  await helpers.close();
  await Promise.all(opened.splice(0).map((path) => path.close()));
});

interface Order {
  given?: Record<string, unknown>;
  method?: 'timer' | 'spin' | 'burst' | 'txtime';
  irregularities?: string;
  onSecond?(): void;
}

async function measured({
  given = {},
  method = 'timer',
  irregularities = '',
  onSecond = () => undefined,
}: Order): Promise<Measured> {
  const parameters = pacingParameters.parse({ durationSeconds: 0.5, rawLog: true, ...given });
  const path = await openPath(parameters);
  opened.push(path);
  const order = { parameters, path, index: rows++, irregularities, onSecond };
  const context = { clock: machineClock, helper: helpers, folder, signal: new AbortController().signal };
  const found = await measure(context, { ...order, stream: streamPlan(parameters) }, planOf(method));
  if (!found) throw new Error('It was not stopped');
  return found;
}

function planOf(method: NonNullable<Order['method']>): RowPlan {
  return madeUpPlan(method, method === 'burst' ? 80 : 1);
}

/** Number and stamp of each packet, in the order in which they came. */
function stampsOf(found: Measured): Stamp[] {
  return readStamps(logOf(found.rawLog?.stamps));
}

function logOf(name: string | null | undefined): string {
  return readFileSync(join(folder, name ?? ''), 'utf8');
}

/** As the raw log has it, by the parameters that `measured` sets. */
function recomputed(found: Measured, packets: number): Recomputed {
  const schedule = { startNs: BigInt(found.startNs ?? 0), intervalNs: 125_000, presentationNs: 2e6, packets };
  return recomputedOf(stampsOf(found), readHolds(logOf(found.rawLog?.holds)), schedule);
}

test.each(['ethernet', 'udp'])(
  '%s: all packets come, and the figures are those of their stamps',
  async (path) => {
    const found = await measured({ given: { path, durationSeconds: 1 }, method: 'spin' });
    expect(found.received).toMatchObject({ received: 8000, lost: 0, reordered: 0, duplicated: 0 });
    expect(found.received).toMatchObject({
      foreign: 0,
      damaged: 0,
      unstamped: 0,
      overflowed: 0,
      clockSteps: 0,
    });
    expect(found.sent).toMatchObject({ slots: 8000, sent: 8000, refused: 0 });
    expect(stampsOf(found).map(({ index }) => index)).toEqual(Array.from({ length: 8000 }, (_, at) => at));
    expectSame(found, recomputed(found, 8000));
  },
);

test('packets that are withheld, doubled, swapped and late are found, each at its place', async () => {
  const irregularities =
    '100:withheld 101:withheld 500:doubled 700:swapped 900:doubled 2000:late:5000000 3999:withheld';
  const found = await measured({ irregularities });
  expect(found.received).toMatchObject({ received: 3997, lost: 3, duplicated: 2, reordered: 1 });
  expect(found.received).toMatchObject({ lostRanges: [100, 101, 3999, 3999], duplicates: [500, 900] });
  expect(found.received.latecomers).toEqual([700]);
  // Those behind it wait for it: 40 intervals are 5 ms.
  expect(found.received.late).toBeGreaterThanOrEqual(39);
  expectSame(found, recomputed(found, 4000));
  const stamps = stampsOf(found);
  const at = (wanted: number): bigint => stamps.find(({ index }) => index === wanted)?.stampNs ?? 0n;
  const earliestNs = stamps
    .map(({ index, stampNs }) => stampNs - 125_000n * BigInt(index))
    .reduce((least, ns) => (ns < least ? ns : least));
  expect(at(2000) - 125_000n * 2000n - earliestNs).toBeGreaterThanOrEqual(4_800_000n);
  const around = stamps.map(({ index }) => index).filter((index) => index >= 699 && index <= 702);
  expect(around).toEqual([699, 701, 700, 702]);
});

test.each(['timer', 'spin'] as const)('%s: packets that are sent early are counted', async (method) => {
  // Each goes at once after 1999, which is in time: 2000 is early by an interval at most, those after it by more, up to 50 ms.
  const early = Array.from({ length: 400 }, (_, at) => `${2000 + at}:early:${125_000 * (at + 1)}`);
  const found = await measured({ irregularities: early.join(' '), method });
  expect(found.received).toMatchObject({ received: 4000, lost: 0, reordered: 0, duplicated: 0 });
  // A sender that is held then makes them less early.
  expect(found.received.early).toBeLessThanOrEqual(399);
  expect(found.received.early).toBeGreaterThanOrEqual(30);
  expect(found.received.earliestNs).toBeGreaterThanOrEqual(-50_000_000);
  expect(found.received.earliestNs).toBeLessThan(-5_000_000);
  expectSame(found, recomputed(found, 4000));
});

test.each([{}, { path: 'udp' }])('no packet of timer and spin is early: %o', async (given) => {
  for (const method of ['timer', 'spin'] as const) {
    const { received } = await measured({ given, method });
    expect(received.early).toBe(0);
    expect(received.earliestNs).toBeGreaterThan(-1000);
  }
});

test('a burst is early but for the first two of each 80 packets', { tags: 'machine' }, async () => {
  const found = await measured({ method: 'burst' });
  expect(found.received.early).toBeLessThanOrEqual(78 * 50);
  expect(earlyInBursts(stampsOf(found), 80)).toBeGreaterThanOrEqual(3000);
  expectSame(found, recomputed(found, 4000));
});

/** Packets that come before their place behind the first of their burst by more than an interval, however late that came. */
function earlyInBursts(stamps: readonly Stamp[], packets: number): number {
  const byIndex = new Map(stamps.map(({ index, stampNs }) => [index, stampNs]));
  return stamps.filter(({ index, stampNs }) => {
    const place = index % packets;
    const firstNs = byIndex.get(index - place);
    return firstNs !== undefined && stampNs - firstNs < 125_000n * BigInt(place - 1);
  }).length;
}

test('the kernel reports when it gave packets to the driver, each once', async () => {
  const { intervals, received } = await measured({ given: { transmitStamps: true } });
  expect(received.lost).toBe(0);
  expect(intervals.transmitted?.count).toBe(3999);
});

test.each([
  [{ streamClass: 'B', rateHz: 96_000, channels: 8, bits: 24 }],
  [{ rateHz: 192_000, channels: 2, bits: 32, vlanId: 5, vlanPriority: 6 }],
])('%o is carried and read', async (given) => {
  const { received } = await measured({ given });
  expect(received).toMatchObject({ lost: 0, damaged: 0, foreign: 0 });
  expect(received).toMatchObject({ rateHz: given.rateHz, channels: given.channels, bits: given.bits });
});

test('the thread that sends has its core to itself: no other thread of the pacer is kept on it', async () => {
  const allowed: string[][] = [];
  const found = await measured({
    given: { path: 'udp', durationSeconds: 2, core: 0 },
    onSecond: () => allowed.push(coresOfThreads(helpers.processIds['pacer-sender']?.[0] ?? 0)),
  });
  expect(found.policy?.cores).toEqual([0]);
  const [threads = []] = allowed;
  expect(threads.filter((cores) => cores === '0')).toHaveLength(cpus().length > 1 ? 1 : threads.length);
});

/** The list of cores of each, as the kernel shows it. */
function coresOfThreads(processId: number): string[] {
  const folder = `/proc/${processId}/task`;
  return readdirSync(folder).map((id) => {
    const status = readFileSync(`${folder}/${id}/status`, 'latin1');
    return /^Cpus_allowed_list:\s*(.+)$/m.exec(status)?.[1] ?? '';
  });
}

test('a pacer that cannot do what it is asked for says why', async () => {
  await expect(measured({ method: 'txtime' })).rejects.toThrow(
    /^The interface has no queue that takes launch times$/,
  );
});

test('a stream of another sender is measured without its schedule', async () => {
  // Long enough for a listener that begins late.
  const parameters = pacingParameters.parse({ durationSeconds: 6 });
  const path = await openPath(parameters);
  opened.push(path);
  const stream = streamPlan(parameters);
  const context = { clock: machineClock, helper: helpers, folder, signal: new AbortController().signal };
  let onSecond = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    onSecond = resolve;
  });
  const sending = measure(
    context,
    { parameters, stream, path, index: rows++, onSecond: () => onSecond() },
    madeUpPlan('timer'),
  );
  await begun;
  const listened = await measure(
    context,
    {
      ...{ parameters: { ...parameters, durationSeconds: 0.5 }, stream, index: rows++ },
      ...{ path: { ...path, kind: 'listen' as const }, onSecond: () => undefined },
    },
    null,
  );
  expect(listened).toMatchObject({ sent: null, policy: null });
  expect(listened?.received).toMatchObject({ lost: 0, reordered: 0, duplicated: 0, foreign: 0, damaged: 0 });
  expect(listened?.received.received).toBeGreaterThan(100);
  const { streamId } = listened?.received ?? {};
  expect((await sending)?.received).toMatchObject({ received: 48_000, lost: 0, streamId });
});

test('what another sender sends to the port is foreign, whatever it is, and none of ours is lost', async () => {
  const socket = createSocket('udp4');
  const strangers = Object.values(strangeDatagrams);
  let sent = false;
  const found = await measured({
    given: { path: 'udp', durationSeconds: 3 },
    onSecond: () => {
      const [processId = 0] = helpers.processIds['pacer-receiver'] ?? [];
      const { address, port } = udpEndOf(processId);
      expect(address).toBe('127.0.0.1');
      if (!sent) for (const bytes of strangers) socket.send(bytes, port, address);
      sent = true;
    },
  });
  socket.close();
  expect(found.received).toMatchObject({ received: 24_000, lost: 0, reordered: 0, duplicated: 0 });
  expect(found.received).toMatchObject({ foreign: 5, otherAudio: 0, damaged: 0, unstamped: 0 });
});

test('an interface that goes down in the middle of a row is named as what ended it', async () => {
  const failing = measured({
    given: { durationSeconds: 20 },
    onSecond: () => {
      const [inside = ''] = opened.map(({ sender }) => sender.inside.join(' '));
      execSync(`${inside} ip link set wlp0 down`);
    },
  });
  await expect(failing).rejects.toThrow(/down/);
});

test.each([
  ['pacer-sender', 'as soon as it runs'],
  ['pacer-receiver', 'as soon as it runs'],
  ['pacer-sender', 'while packets come'],
  ['pacer-receiver', 'while packets come'],
])('when the %s is killed %s the other end ends too, and no namespace is left', async (role, when) => {
  let onSecond = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    onSecond = resolve;
  });
  const failing = measured({ given: { durationSeconds: 60 }, onSecond: () => onSecond() });
  const outcome = expect(failing).rejects.toThrow(/was ended by SIGKILL/);
  if (when === 'while packets come') await begun;
  await vi.waitFor(() => expect(helpers.processIds[role]).toHaveLength(1), { timeout: 20_000, interval: 1 });
  const namespaces = opened.flatMap(({ sender, receiver }) => [sender, receiver].map(namespaceOf));
  expect(holdersOf(namespaces)).not.toEqual([]);
  for (const id of helpers.processIds[role] ?? []) process.kill(id, 'SIGKILL');
  await outcome;
  expect(helpers.processIds).toEqual({});
  await Promise.all(opened.splice(0).map((path) => path.close()));
  expect(holdersOf(namespaces)).toEqual([]);
});

/** Of annex J, each with a number before its AVTPDU. */
const aaf = '0281fe010211223344550002 9abcdef0 04500210 0018 0000';
const sound = '00'.repeat(24);
const strangeDatagrams = {
  ofAnotherStream: datagram(`${aaf}${sound}`),
  ofAnotherSubtype: datagram(`04${aaf.slice(2)}${sound}`),
  ofUsersRate: datagram(`${aaf.replace('04500210', '04000210')}${sound}`),
  cutOff: datagram(aaf.slice(0, 20)),
  ofMoreSoundThanThereIs: datagram(aaf),
};

function datagram(hexadecimal: string): Buffer {
  return Buffer.from(`000001fe${hexadecimal.replaceAll(' ', '')}`, 'hex');
}

/** At which a process takes datagrams, out of the tables of its sockets. */
function udpEndOf(processId: number): { address: string; port: number } {
  const links = openFilesOf(processId);
  const lines = readFileSync(`/proc/${processId}/net/udp`, 'latin1').trim().split('\n').slice(1);
  const own = lines
    .map((line) => line.trim().split(/\s+/))
    .find((fields) => links.includes(`socket:[${fields[9]}]`));
  const [address = '', port = ''] = own?.[1]?.split(':') ?? [];
  const bytes = address.match(/../g) ?? [];
  return {
    address: bytes
      .map((byte) => Number.parseInt(byte, 16))
      .reverse()
      .join('.'),
    port: Number.parseInt(port, 16),
  };
}

/** As the kernel names it: of the process through which its end is entered. */
function namespaceOf({ inside }: Place): string {
  return namespaceOfProcess(inside[2] ?? '') ?? '';
}

function namespaceOfProcess(processId: string): string | null {
  try {
    return readlinkSync(`/proc/${processId}/ns/net`);
  } catch {
    return null;
  }
}

/** The kernel keeps a namespace as long as a process is in it. */
function holdersOf(namespaces: readonly string[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => namespaces.includes(namespaceOfProcess(name) ?? 'none'));
}
