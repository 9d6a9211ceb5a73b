import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import type { archiveApplicationCommands } from '../protocol/application-commands';
import { shellChannels } from '../protocol/bridge';
import { noReportHeader } from '../protocol/report-header';
import type { Handlers } from '../rpc/serve-commands';
import { SimulatedClock } from '../testing/simulated-clock';
import { ArchiveSupervisor } from './archive-supervisor';

/** In the place of Electron's process. */
class Child extends EventEmitter {
  readonly postMessage = vi.fn();
  readonly kill = vi.fn();

  constructor(readonly environment: NodeJS.ProcessEnv) {
    super();
  }
}

/** A window that asked for the archive. */
class Contents extends EventEmitter {
  readonly send = vi.fn();
  readonly postMessage = vi.fn();
}

const { children, place } = vi.hoisted(() => ({ children: [] as Child[], place: { runs: '' } }));

vi.mock('electron', () => ({
  utilityProcess: {
    fork: (_file: string, _words: string[], { env }: { env: NodeJS.ProcessEnv }) => {
      const child = new Child(env);
      children.push(child);
      return child;
    },
  },
  MessageChannelMain: class {
    readonly port1 = {};
    readonly port2 = {};
  },
}));
vi.mock('./paths', () => ({
  appFolder: '/app',
  archiveBundle: '/archive.cjs',
  runsFolder: () => place.runs,
}));

const redeemed = vi.fn((): string | null => '/chosen');
const answers: Handlers<typeof archiveApplicationCommands> = {
  reportHeader: () => noReportHeader,
  ...{ printPage: () => null, open: () => null, show: () => null, redeemGrant: redeemed },
  ...{ choosePicture: () => null, chooseImport: () => null, chooseExport: () => null },
};

let clock: SimulatedClock;
let supervisor: ArchiveSupervisor;
let contents: Contents;

beforeEach(() => {
  clock = new SimulatedClock();
  children.length = 0;
  place.runs = '/first';
  supervisor = new ArchiveSupervisor(answers, () => 30, clock);
  contents = new Contents();
});

const connect = (): void => supervisor.connectWindow(contents as unknown as WebContents);
const foldersSoFar = () => children.map(({ environment }) => environment.WHITELINE_RUNS);
const ports = () => contents.postMessage.mock.calls.filter(([name]) => name === shellChannels.archivePort);

test('it is started when a window first asks, and again for another folder of runs', async () => {
  supervisor.followSettings();
  expect(children).toHaveLength(0);
  connect();
  supervisor.followSettings();
  expect(foldersSoFar()).toEqual(['/first']);
  place.runs = '/second';
  supervisor.followSettings();
  expect(foldersSoFar()).toEqual(['/first', '/second']);
  expect(children[0]?.kill).toHaveBeenCalledOnce();
  // The old one's end is no crash.
  children[0]?.emit('exit', 0);
  await clock.pass(20_000);
  expect(children).toHaveLength(2);
  expect(ports()).toHaveLength(2);
  expect(contents.send).not.toHaveBeenCalledWith(
    shellChannels.archiveLife,
    expect.objectContaining({ exitCode: 0 }),
  );
});

test('after a crash it is there again at once; what crashes again soon waits for ten seconds', async () => {
  const crash = async (): Promise<void> => {
    children[children.length - 1]?.emit('exit', 9);
    await clock.pass(0);
  };
  connect();
  await crash();
  expect(contents.send).toHaveBeenCalledWith(shellChannels.archiveLife, { state: 'crashed', exitCode: 9 });
  expect(children).toHaveLength(2);
  await clock.pass(9_000);
  await crash();
  await clock.pass(9_999);
  expect(children).toHaveLength(2);
  await clock.pass(1);
  expect(children).toHaveLength(3);
  expect(ports()).toHaveLength(3);
  // It has held for longer now.
  await clock.pass(60_000);
  await crash();
  expect(children).toHaveLength(4);
});

test('what the archive asks is answered, and refused where it is nothing that main does', async () => {
  connect();
  const [child] = children;
  const ask = async (command: object): Promise<unknown> => {
    child?.emit('message', { type: 'request', requestId: 3, command });
    await new Promise(setImmediate);
    return child?.postMessage.mock.lastCall?.[0];
  };
  expect(await ask({ name: 'redeemGrant', purpose: 'import', grant: 'x' })).toEqual({
    ...{ type: 'reply', requestId: 3, result: '/chosen', problem: null },
  });
  redeemed.mockClear();
  expect(await ask({ name: 'redeemGrant', purpose: 'anything', grant: 'x' })).toMatchObject({
    problem: { code: 'BAD_INPUT', field: 'purpose', value: 'anything' },
  });
  expect(await ask({ name: 'run', path: '/bin/sh' })).toMatchObject({ problem: { field: 'command' } });
  expect(redeemed).not.toHaveBeenCalled();
});
