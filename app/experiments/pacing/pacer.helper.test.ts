import { execSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Helpers } from '../../engine/capabilities/helper/helpers';
import { machineClock } from '../../engine/clock';
import { wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { frameOf } from '../../testing/made-up-rows';
import { holdersOf, networkOf } from '../../testing/network-holders';
import { openFilesOf, threadTexts } from '../../testing/process-files';
import { temporaryFolder } from '../../testing/temporary-folder';
import { pacingParameters } from './declaration';
import { measure, type PacingReadings } from './measure';
import { pacedRow } from './pacing-rows';
import { madeUpPlan } from './pacing-rows.fixture';
import { type OpenPath, openPath } from './path';
import {
  expectSame,
  type Recomputed,
  readHolds,
  readStamps,
  recomputedOf,
  type Stamp,
} from './recomputed.fixture';
import { type RowPlan, streamPlan } from './stream-plan';

// Own namespaces need root, as those of e2e/network do.
const folder = temporaryFolder();
const helpers = new Helpers(machineClock, () => undefined);
const opened: OpenPath[] = [];
/** Against hanging alone. */
const hangsAfterMs = 60_000;
let rows = 0;

afterEach(async () => {
  await helpers.close();
  await Promise.all(opened.splice(0).map((path) => path.close()));
});

interface Order {
  given?: Record<string, unknown>;
  method?: 'timer' | 'spin' | 'burst' | 'txtime';
  irregularities?: string;
  path?: OpenPath;
  own?: Helpers;
  onSecond?(): void;
  /** Where its logs are written. */
  to?: string;
  noteEvent?(kind: string, text: string): void;
}

async function measured({
  given = {},
  method = 'timer',
  irregularities = '',
  onSecond = () => undefined,
  own = helpers,
  to = folder,
  noteEvent = () => undefined,
  ...order
}: Order): Promise<PacingReadings> {
  const parameters = pacingParameters.parse({ holdSeconds: 0.5, rawLog: true, ...given });
  const path = order.path ?? (await openPath(parameters));
  if (!order.path) opened.push(path);
  const row = { parameters, path, index: rows++, irregularities, onSecond };
  const { signal } = new AbortController();
  const context = { clock: machineClock, helper: own, folder: to, signal, noteEvent };
  const found = await measure(context, { ...row, stream: streamPlan(parameters) }, planOf(method));
  if (!found) throw new Error('It was not stopped');
  return found;
}

function planOf(method: NonNullable<Order['method']>): RowPlan {
  return madeUpPlan(method, method === 'burst' ? 80 : 1);
}

/** Number and stamp of each packet, in the order in which they came. */
function stampsOf(found: PacingReadings): Stamp[] {
  return readStamps(logOf(found.rawLog?.stamps));
}

function logOf(name: string | null | undefined): string {
  return readFileSync(join(folder, name ?? ''), 'utf8');
}

/** As the raw log has it, by the parameters that `measured` sets. */
function recomputed(found: PacingReadings, packets: number): Recomputed {
  const schedule = { startNs: BigInt(found.startNs ?? 0), intervalNs: 125_000, presentationNs: 2e6, packets };
  return recomputedOf(stampsOf(found), readHolds(logOf(found.rawLog?.holds)), schedule);
}

test.each(['ethernet', 'udp'])(
  '%s: each packet comes once and none early, and the figures are those of their stamps',
  async (path) => {
    const found = await measured({ given: { path }, method: 'spin' });
    expect(found.received).toMatchObject({ received: 4000, lost: 0, reordered: 0, duplicated: 0 });
    expect(found.received).toMatchObject({ foreign: 0, damaged: 0, unstamped: 0 });
    expect(found.received).toMatchObject({ overflowed: 0, clockSteps: 0 });
    expect(found.sent).toMatchObject({ slots: 4000, sent: 4000, refused: 0 });
    expect(stampsOf(found).map(({ index }) => index)).toEqual(Array.from({ length: 4000 }, (_, at) => at));
    expectNoneEarly(found);
    expectSame(found, recomputed(found, 4000));
  },
);

test('a raw log whose disk is full ends with a whole line, and packets are counted on', async () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  execSync(`mount -t tmpfs -o size=64k whiteline-test ${disk}`);
  try {
    const texts: string[] = [];
    const found = await measured({ to: disk, noteEvent: (kind, text) => texts.push(`${kind}: ${text}`) });
    expect(found.received).toMatchObject({ received: found.sent?.sent, lost: 0 });
    const log = readFileSync(join(disk, found.rawLog?.stamps ?? ''), 'utf8');
    const lines = log.trimEnd().split('\n').length - 1;
    expect(lines).toBeGreaterThan(0);
    expect(log.endsWith('\n')).toBe(true);
    const lacks = 4000 - lines;
    expect(texts[0]).toMatch(
      /^problem: stamps-\d+\.csv lacks \d+ packets: No space left on device\. Nothing more/,
    );
    expect(texts.at(-1)).toContain(`lacks ${lacks} packets`);
    expect(texts.length).toBeLessThanOrEqual(2);
  } finally {
    execSync(`umount --lazy ${disk}`);
  }
});

function expectNoneEarly({ received: { early, earliestNs } }: PacingReadings): void {
  expect(early).toBe(0);
  expect(earliestNs).toBeGreaterThan(-1000);
}

test('packets that are withheld, doubled, swapped and late are found, each at its place', async () => {
  const irregularities =
    '100:withheld 101:withheld 500:doubled 700:swapped 900:doubled 2000:late:5000000 3999:withheld';
  const found = await measured({ irregularities, method: 'spin' });
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

test('packets that are sent early are counted', { tags: 'machine' }, async () => {
  // Each goes at once after 1999, which is in time: 2000 is early by an interval at most, those after it by more, up to 50 ms.
  const early = Array.from({ length: 400 }, (_, at) => `${2000 + at}:early:${125_000 * (at + 1)}`);
  const found = await measured({ irregularities: early.join(' ') });
  expect(found.received).toMatchObject({ received: 4000, lost: 0, reordered: 0, duplicated: 0 });
  // A sender that is held then makes them less early.
  expect(found.received.early).toBeLessThanOrEqual(399);
  expect(found.received.early).toBeGreaterThanOrEqual(30);
  expect(found.received.earliestNs).toBeGreaterThanOrEqual(-50_000_000);
  expect(found.received.earliestNs).toBeLessThan(-5_000_000);
  expectSame(found, recomputed(found, 4000));
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
  const found = await measured({ given: { transmitStamps: true } });
  expect(found.received).toMatchObject({ received: 4000, lost: 0 });
  expect(found.intervals.transmitted?.count).toBe(3999);
  expectNoneEarly(found);
});

test('sound of other rates, channels, bits and tags is carried and read', async () => {
  const forms = [
    { streamClass: 'B', rateHz: 96_000, channels: 8, bits: 24 },
    { rateHz: 192_000, channels: 2, bits: 32, vlanId: 5, vlanPriority: 6 },
  ];
  for (const [index, { received }] of (
    await Promise.all(forms.map((given) => measured({ given })))
  ).entries()) {
    const { rateHz, channels, bits } = forms[index] ?? {};
    expect(received).toMatchObject({ lost: 0, damaged: 0, foreign: 0, rateHz, channels, bits });
  }
});

test('the sending thread has its core to itself, no thread that watches runs there, and what others send to the port is foreign, whatever it is', async () => {
  const allowed: string[][] = [];
  const watchers: string[] = [];
  const socket = createSocket('udp4');
  const strangers = Object.values(strangeDatagrams);
  const found = await measured({
    given: { path: 'udp', holdSeconds: 2, core: 0 },
    onSecond: () => {
      const [sender = 0] = helpers.processIds['pacer-sender'] ?? [];
      const [receiver = 0] = helpers.processIds['pacer-receiver'] ?? [];
      const { address, port } = udpEndOf(receiver);
      expect(address).toBe('127.0.0.1');
      if (allowed.length === 0) for (const bytes of strangers) socket.send(bytes, port, address);
      allowed.push(coresOfThreads(sender));
      watchers.push(...coresOfThreads(sender, 'wl-still'));
    },
  });
  socket.close();
  expect(found.received).toMatchObject({ received: 16_000, lost: 0, reordered: 0, duplicated: 0 });
  expect(found.received).toMatchObject({ foreign: 5, otherAudio: 0, damaged: 0, unstamped: 0 });
  expectNoneEarly(found);
  expect(found.policy?.cores).toEqual([0]);
  const [threads = []] = allowed;
  const isAllWeHave = coresOfThreads(process.pid)[0] === '0';
  expect(threads.filter((cores) => cores === '0')).toHaveLength(isAllWeHave ? threads.length : 1);
  const isOnCore = (cores: string): boolean => /^0(?:$|[-,])/.test(cores);
  expect(watchers.length).toBeGreaterThan(0);
  expect(watchers.filter(isOnCore)).toHaveLength(isAllWeHave ? watchers.length : 0);
});

test('a pacer that was stopped says for how long, at either end', async () => {
  for (const end of ['sender', 'receiver'] as const) {
    let stopped: Promise<void> | null = null;
    const onSecond = (): void => {
      const [id = 0] = helpers.processIds[`pacer-${end}`] ?? [];
      stopped ??= stopFor(id, 500);
    };
    const found = await measured({ given: { path: 'udp', holdSeconds: 1.5 }, onSecond });
    await stopped;
    const { sent, received } = found;
    const { stoppedNs, starvedNs } = { sender: sent, receiver: received }[end] ?? {};
    // A look lies at most 50 ms before the stop, and the processor may have been away for the longer part of it.
    expect((stoppedNs ?? Number.NaN) + (starvedNs ?? Number.NaN), end).toBeGreaterThan(440e6);
    const row = pacedRow(
      frameOf(0),
      madeUpPlan('timer'),
      { ...found, beside: null },
      'loopback',
      defaultThresholds,
    );
    expect(row.verdict).toBe('INVALID');
    expect(wordsOf(row.reason)).toMatch(
      new RegExp(
        `(^|, not judged: )our packet pacer \\(${end}\\) process (was stopped|waited for a processor) for \\d`,
      ),
    );
  }
});

async function stopFor(processId: number, ms: number): Promise<void> {
  process.kill(processId, 'SIGSTOP');
  await machineClock.sleep(ms);
  process.kill(processId, 'SIGCONT');
}

/** The list of cores of each, as the kernel shows it. */
function coresOfThreads(processId: number, name?: string): string[] {
  return [...threadTexts(processId, 'status').values()]
    .filter((status) => name === undefined || status.startsWith(`Name:\t${name}\n`))
    .map((status) => /^Cpus_allowed_list:\s*(.+)$/m.exec(status)?.[1] ?? '');
}

test('a pacer that cannot do what it is asked for says why', async () => {
  await expect(measured({ method: 'txtime' })).rejects.toThrow(
    /^The interface has no queue that takes launch times$/,
  );
});

test('a stream of another sender is measured without its schedule', async () => {
  const parameters = pacingParameters.parse({ holdSeconds: 60 });
  const path = await openPath(parameters);
  opened.push(path);
  const stream = streamPlan(parameters);
  const abort = new AbortController();
  const context = { clock: machineClock, helper: helpers, folder, noteEvent: () => undefined };
  let onSecond = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    onSecond = resolve;
  });
  const sending = measure(
    { ...context, signal: abort.signal },
    { parameters, stream, path, index: rows++, onSecond: () => onSecond() },
    madeUpPlan('timer'),
  );
  await begun;
  const listened = await measure(
    { ...context, signal: new AbortController().signal },
    {
      ...{ parameters: { ...parameters, holdSeconds: 0.5 }, stream, index: rows++ },
      ...{ path: { ...path, kind: 'listen' as const }, onSecond: () => undefined },
    },
    null,
  );
  abort.abort();
  expect(listened).toMatchObject({ sent: null, policy: null });
  expect(listened?.received).toMatchObject({ lost: 0, reordered: 0, duplicated: 0, foreign: 0, damaged: 0 });
  expect(listened?.received.received).toBeGreaterThan(100);
  const { streamId } = listened?.received ?? {};
  // It was stopped, and says what it had sent.
  const sent = await sending;
  expect(sent?.received).toMatchObject({ received: sent?.sent?.slots, lost: 0, streamId });
});

test('an interface that goes down in the middle of a row is named as what ended it', async () => {
  const failing = measured({
    given: { holdSeconds: 20 },
    onSecond: () => {
      const [inside = ''] = opened.map(({ sender }) => sender.inside.join(' '));
      execSync(`${inside} ip link set wlp0 down`);
    },
  });
  await expect(failing).rejects.toThrow(/down/);
});

test('when an end is killed, as soon as it runs or while packets come, the other ends too, and no namespace is left', async () => {
  const kills = ['pacer-sender', 'pacer-receiver'].flatMap((role) =>
    ['as soon as it runs', 'while packets come'].map((when) => ({ role, when })),
  );
  await Promise.all(kills.map(killed));
});

async function killed({ role, when }: { role: string; when: string }): Promise<void> {
  const own = new Helpers(machineClock, () => undefined);
  let onSecond = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    onSecond = resolve;
  });
  const path = await openPath(pacingParameters.parse({ holdSeconds: 60 }));
  opened.push(path);
  const failing = measured({ given: { holdSeconds: 60 }, path, own, onSecond: () => onSecond() });
  const outcome = expect(failing).rejects.toThrow(/was killed \(SIGKILL\)/);
  if (when === 'while packets come') await begun;
  await vi.waitFor(() => expect(own.processIds[role]).toHaveLength(1), {
    timeout: hangsAfterMs,
    interval: 1,
  });
  const namespaces = [path.sender, path.receiver].map(({ inside }) => networkOf(inside[2] ?? ''));
  expect(holdersOf(namespaces)).not.toEqual([]);
  for (const id of own.processIds[role] ?? []) process.kill(id, 'SIGKILL');
  await outcome;
  expect(own.processIds).toEqual({});
  await path.close();
  // What was killed may be on its way out.
  await vi.waitFor(() => expect(holdersOf(namespaces)).toEqual([]));
}

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
