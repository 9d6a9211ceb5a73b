import { beforeEach, expect, test, vi } from 'vitest';
import type { HostCommand, HostProgress, HostReady, OpenSource } from '../protocol/host';
import type { ContentWriterStatus, MovieCheckStatus, SourceStatus } from '../protocol/records';
import type { Standstill } from '../protocol/standstill';
import { checked, notHap, sourceStatus } from '../testing/movie-facts';
import { SimulatedClock } from '../testing/simulated-clock';

/** What the native core says, until a test says otherwise. */
const world = {
  addonError: null as Error | null,
  ndiError: null as Error | null,
  check: (): MovieCheckStatus => checked(),
  writer: (): ContentWriterStatus => ({ state: 'done', framesWritten: 30, message: '' }),
  source: (): SourceStatus => sourceStatus(),
  /** How often the addon for content was loaded. */
  contentLoaded: 0,
  standstills: [] as Standstill[],
  /** Names of the handles that were closed. */
  closed: [] as string[],
};

function handle(name: string, status: () => unknown) {
  return class {
    constructor(readonly options: unknown) {}
    status = status;
    close(): void {
      world.closed.push(name);
    }
  };
}

vi.mock('../../native/addon/index', () => ({
  loadAddon: () => {
    if (world.addonError) throw world.addonError;
    return {
      monotonicNs: () => clock.monotonicNs(),
      setThreadPolicy: () => undefined,
      socketTraffic: () => null,
      loadNdi: () => {
        if (world.ndiError) throw world.ndiError;
        return { path: '/libndi.so', version: '6.0' };
      },
      MovieCheck: handle('check', () => world.check()),
      StandstillWatch: class extends handle('standstills', () => null) {
        drain = () => world.standstills.splice(0);
      },
      Source: handle('source', () => world.source()),
    };
  },
  loadContentAddon: () => {
    world.contentLoaded += 1;
    return {
      setThreadPolicy: () => undefined,
      ContentWriter: handle('writer', () => world.writer()),
    };
  },
}));

const { Host } = await import('./host');

const defaults = { ...world };
const hap: OpenSource = {
  ...{ kind: 'hap', width: 640, height: 360, rateNumerator: 30, rateDenominator: 1, pixelFormat: 'uyvy' },
  hap: { path: 'a.mov', startFrame: 0, preload: true, reads: 'cached' },
};

let reported: HostProgress[];
let clock: SimulatedClock;
let host: InstanceType<typeof Host>;
let requests: number;

beforeEach(() => {
  Object.assign(world, defaults, { closed: [] });
  reported = [];
  requests = 0;
  clock = new SimulatedClock();
  host = new Host((progress) => reported.push(progress), clock);
});

function execute(command: HostCommand) {
  requests += 1;
  return host.execute({ type: 'request', requestId: requests, command });
}

function start(): Promise<HostReady> {
  return execute({
    name: 'start',
    transport: { name: 'ndi', candidates: [] },
    wallOffsetUs: 0,
  }) as Promise<HostReady>;
}

function nativeError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

test('without NDI movies are still checked and clips made, but nothing is sent', async () => {
  world.ndiError = nativeError('NDI_NOT_FOUND', 'no libndi');
  expect(await start()).toMatchObject({
    addonProblem: null,
    transport: null,
    transportProblem: { code: 'NDI_MISSING' },
  });
  expect(await execute({ name: 'checkMovie', path: 'a.mov', decode: false })).toEqual(checked());
  expect(world.contentLoaded).toBe(0);
  const options = {
    ...{ generator: 'flares', width: 640, height: 360, rateNumerator: 60, rateDenominator: 1, frames: 30 },
    command: { file: 'ffmpeg', arguments: [] },
  };
  expect(await execute({ name: 'writeContent', options })).toMatchObject({
    state: 'done',
    framesWritten: 30,
  });
  expect(world.closed).toEqual(['check', 'writer']);
  expect(world.contentLoaded).toBe(1);
  const sender = { streamId: 1, sourceId: 1, senderName: 'x', shareRecords: false, audio: true };
  await expect(execute({ name: 'openSender', ...sender })).rejects.toMatchObject({ code: 'NDI_MISSING' });
});

test('without the addon nothing is done, and the host says why', async () => {
  world.addonError = new Error('The native addon was not found');
  expect(await start()).toMatchObject({
    transport: null,
    addonProblem: { message: 'The native addon was not found' },
  });
  await expect(execute({ name: 'checkMovie', path: 'a.mov', decode: false })).rejects.toThrow(
    'The native addon was not found',
  );
});

test('a movie of another codec is an answer; one that cannot be read is a problem with its path', async () => {
  await start();
  world.check = () => notHap;
  expect(await execute({ name: 'checkMovie', path: 'a.mov', decode: false })).toEqual(notHap);
  const failures = [
    ['FILE_UNREADABLE', 'NOT_FOUND', /Check the path/],
    ['MOVIE_DAMAGED', 'MOVIE_UNREADABLE', /Copy the movie again/],
  ] as const;
  for (const [code, problemCode, remedy] of failures) {
    const problem = { code, message: 'a.mov: at byte 12' };
    world.check = () => checked({ state: 'failed', facts: null, problem });
    await expect(execute({ name: 'checkMovie', path: 'a.mov', decode: true })).rejects.toMatchObject({
      ...{ code: problemCode, message: 'a.mov: at byte 12', value: 'a.mov' },
      remedy: expect.stringMatching(remedy),
    });
  }
});

test('several requests that take long go on at once, each with its own progress and end', async () => {
  await start();
  world.check = () => checked({ state: 'running', framesDecoded: 12 });
  const check = execute({ name: 'checkMovie', path: 'a.mov', decode: true });
  const checkId = requests;
  const other = execute({ name: 'checkMovie', path: 'b.mov', decode: true });
  const otherId = requests;
  await vi.waitFor(() =>
    expect(new Set(reported.map(({ requestId }) => requestId))).toEqual(new Set([checkId, otherId])),
  );
  expect(reported[0]).toEqual({ type: 'progress', requestId: checkId, framesDone: 12, frames: 600 });
  await execute({ name: 'cancel', requestId: checkId });
  expect(await check).toMatchObject({ state: 'running', framesDecoded: 12 });
  expect(world.closed).toEqual(['check']);
  world.check = () => checked({ framesDecoded: 600 });
  expect(await clock.until(other)).toMatchObject({ state: 'done', framesDecoded: 600 });
});

test('the end of the host ends what is under way', async () => {
  await start();
  world.check = () => checked({ state: 'running' });
  const check = execute({ name: 'checkMovie', path: 'a.mov', decode: true });
  host.close();
  expect(world.closed).toEqual(['check', 'standstills']);
  await check;
});

test('what it stood still for goes with its records, once, and the watch ends with it', async () => {
  const stopped: Standstill = { kind: 'stopped', fromNs: 1e9, toNs: 2e9 };
  world.standstills = [stopped];
  expect(host.drain().standstills).toEqual([]);
  await start();
  expect(host.drain().standstills).toEqual([stopped]);
  expect(host.drain().standstills).toEqual([]);
  host.close();
  expect(world.closed).toEqual(['standstills']);
});

test('a source that starts long can be cancelled, and is closed then', async () => {
  await start();
  world.source = () => sourceStatus({ state: 'starting' });
  const opened = execute({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options: hap }).catch(
    (error) => error,
  );
  const requestId = requests;
  await vi.waitFor(() => expect(reported.length).toBeGreaterThan(0));
  await execute({ name: 'cancel', requestId });
  expect(await opened).toMatchObject({ code: 'ABORTED' });
  expect(world.closed).toEqual(['source']);
});

test('a source that fails is closed and says why', async () => {
  await start();
  world.source = () => sourceStatus({ state: 'failed', message: 'a.mov: its index is gone' });
  await expect(
    execute({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options: hap }),
  ).rejects.toMatchObject({
    ...{
      code: 'MOVIE_UNREADABLE',
      field: 'source',
      message: 'The source did not start: a.mov: its index is gone',
    },
    remedy: 'Check it with whiteline content inspect a.mov',
  });
  expect(world.closed).toEqual(['source']);
});
