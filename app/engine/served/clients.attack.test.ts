import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { servedChannels } from '../../protocol/served';
import { attackSeed, hostileValue, nestedText, spoiltRequest } from '../../testing/attack';
import { errorsBesideBusy } from '../../testing/busy-lines';
import { readNamedRun } from '../../testing/named-rows';
import { Random } from '../../testing/random';
import type { ServedPage, ServedProcess } from '../../testing/served-process';
import { interruptedAfterMs, longestEndMs, serveLiveRun } from '../../testing/served-run';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Pages that have the token, and are hostile, broken or do not read, while a live run goes on in `whiteline serve`. */
const runsFolder = join(temporaryFolder(), 'runs');
let served: ServedProcess;
let operator: ServedPage;
let runFolder = '';

beforeAll(async () => {
  ({ served, operator, runFolder } = await serveLiveRun(runsFolder));
});

afterAll(() => served.command.signal('SIGKILL'));

async function expectUnharmed(): Promise<void> {
  await operator.ask({ name: 'checkParameters', experiment: 'stream-load', parameters: {} });
  const archive = await served.open('archive');
  await archive.ask({ name: 'listRuns' });
  archive.socket.terminate();
  await operator.ask({ name: 'hello' });
  const { mode, run, streams } = operator.state ?? {};
  expect({ mode, folder: run?.folder, streams: streams?.length }).toEqual({
    ...{ mode: 'live', folder: runFolder, streams: 1 },
  });
  expect(operator.state?.alerts.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(errorsBesideBusy(served.command.errors)).toBe('');
}

/** What reaches every port and is of none of its shapes. */
const texts: [string, string][] = [
  ['no JSON', '{"type":'],
  ['a null', 'null'],
  ['a number', '1e400'],
  ['nested 50,000 deep', nestedText(50_000)],
  ['a list nested 400,000 deep', '['.repeat(400_000) + ']'.repeat(400_000)],
  [
    'nested parameters',
    request(`{"name":"startExperiment","experiment":"link","parameters":${nestedText(50_000)}}`),
  ],
  ['a nested plan', request(`{"name":"startPlan","plan":${nestedText(50_000)}}`)],
  ['a plan nested within limits', request(`{"name":"startPlan","plan":${nestedText(90)}}`)],
  ['a nested name', request(`{"name":${nestedText(50_000)}}`)],
  ['a nested id', `{"type":"request","requestId":${nestedText(50_000)},"command":{"name":"hello"}}`],
  ['an id that becomes no number', '{"requestId":{"toString":1,"valueOf":1}}'],
  ['names of an object’s own', '{"__proto__":{"type":"request"},"constructor":1,"toString":null}'],
  [
    'many unknown names',
    request(`{"name":"startExperiment","experiment":"link","parameters":${manyNames()}}`),
  ],
  [
    'many wrong experiments',
    request(`{"name":"startPlan","plan":{"experiments":[${'{},'.repeat(300_000)}1]}}`),
  ],
  ['a long text', request(`{"name":"followSource","source":"${'x'.repeat(900_000)}"}`)],
  ['a picture for the display', '{"type":"show","streamId":1e300,"width":-1,"height":{}}'],
  [
    'previews without end',
    '{"type":"subscribe","rateHz":1e308,"streams":[{"streamId":-1,"maxWidth":1e308}]}',
  ],
];

function request(command: string): string {
  return `{"type":"request","requestId":1,"command":${command}}`;
}

function manyNames(): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: 50_000 }, (_, number) => [`holdSecond${number}`, 1])),
  );
}

test.each(texts)('%s, over every port', async (_, text) => {
  for (const channel of servedChannels) {
    const page = await served.open(channel);
    if (channel === 'engine' || channel === 'archive' || channel === 'shell') {
      const { problem } = await page.answerTo(text);
      expect(problem).toMatchObject({ code: expect.stringMatching(/BAD_INPUT|NOT_FOUND/) });
      expect(JSON.stringify(problem).length).toBeLessThan(100_000);
    } else page.socket.send(text);
    page.socket.close();
    await once(page.socket, 'close');
  }
  await expectUnharmed();
});

/** None of them would end the run that goes on, were it good. */
const commands: Record<string, unknown>[] = [
  { name: 'followSource', source: '' },
  { name: 'removeStream', streamId: 99 },
  { name: 'startExperiment', experiment: 'x', parameters: {} },
  { name: 'checkParameters', experiment: 'stream-load', parameters: { source: 'x' } },
  { name: 'startPlan', plan: {} },
  { name: 'savePlan', plan: {}, grant: '0'.repeat(64) },
  { name: 'openPlan', grant: '0'.repeat(64) },
  { name: 'makeClip', clip: 'x', format: 'x' },
  { name: 'export', kind: 'json', grant: '0'.repeat(64) },
  { name: 'dismissAlert', key: 'x' },
  { name: 'addNote', kind: 'note', text: 'x', run: '../x' },
  { name: 'reportDisplay', report: {} },
  { name: 'attachPicture', grant: '0'.repeat(64), text: '' },
  ...[
    'openRun',
    'listEvents',
    'renameRun',
    'pinBaseline',
    'deleteRun',
    'exportRun',
    'openReport',
    'openFolder',
  ].map((name) => ({ name, run: '../x', title: 'x', kind: 'csv' })),
  { name: 'compareRuns', runs: ['a', '..'] },
  { name: 'openSession', session: '../x' },
  { name: 'openSessionReport', session: '/etc' },
  { name: 'exportGroup', group: { session: '..' }, kind: 'json' },
  { name: 'exportGroup', group: { runs: ['../x', '/etc'] }, kind: 'parquet' },
  { name: 'listRuns', filter: {}, offset: 0, limit: 1 },
  { name: 'restoreRun', deletion: '../x' },
  { name: 'eraseRun', deletion: '../../x' },
  { name: 'importRuns', grant: '0'.repeat(64) },
  { type: 'subscribe', streamId: 1, rateHz: 1, maxWidth: 100 },
  { name: 'chooseRegistry', url: 'x' },
  { name: 'connectReceiver', receiverId: '0'.repeat(36), senderId: null },
  { name: 'chooseExport', kind: 'json' },
];

test('seeded requests with something in them out of place, over every port', async () => {
  const random = new Random(attackSeed);
  const pages = await Promise.all(servedChannels.map((channel) => served.open(channel)));
  for (let round = 0; round < 600; round++) {
    const command = random.pick(commands);
    const message = random.chance(0.8)
      ? spoiltRequest(random, command)
      : { ...command, requestId: hostileValue(random) };
    const { socket } = random.pick(pages);
    const text = JSON.stringify(message);
    // Without an id it is good, and removes the stream; a source that is followed then begins another run.
    if (text.includes('{"name":"removeStream"}')) continue;
    if (random.chance(0.1)) socket.send(Buffer.from(text));
    else socket.send(text);
  }
  // A port answers in order, whatever came before.
  await Promise.all(
    pages
      .slice(0, 1)
      .map((page) => page.ask({ name: 'checkParameters', experiment: 'stream-load', parameters: {} })),
  );
  for (const { socket } of pages) socket.terminate();
  await expectUnharmed();
  expect(readdirSync(runsFolder).filter((name) => !name.startsWith('.'))).toHaveLength(1);
});

test.each([
  ['engine', 20_000, request('{"name":"listExperiments"}')],
  ['engine', 2000, request('{"name":"hello"}')],
  ['engine', 2000, request(`{"name":"makeClip","clip":"${'x'.repeat(10_000)}","format":"x"}`)],
  ['archive', 1500, request('{"name":"listRuns"}')],
  ['archive', 2000, request(`{"name":"openRun","run":"x"}`)],
  ['shell', 2000, request('{"name":"readAbout"}')],
  ['previews', 2000, '{"type":"subscribe","rateHz":60,"streams":[{"streamId":1,"maxWidth":320}]}'],
  ['textures', 2000, '{"type":"subscribe","streamId":1,"rateHz":30}'],
] as const)('over the port “%s” %i requests of a page that never reads', async (channel, count, text) => {
  // Not the programs that it asks now and then.
  const before = new Map(served.command.processes('.cjs').map((id) => [id, served.residentMb(id)]));
  const { socket } = await served.open(channel);
  socket.pause();
  for (let number = 0; number < count; number++) socket.send(text);
  for (let look = 0; look < 3; look++) await expectUnharmed();
  for (const [id, megabytes] of before) expect(served.residentMb(id) - megabytes).toBeLessThan(300);
  socket.terminate();
  await expectUnharmed();
});

test('a page that asks for much and goes', async () => {
  for (const channel of servedChannels) {
    const { socket } = await served.open(channel);
    for (let number = 0; number < 500; number++) socket.send(request('{"name":"listExperiments"}'));
    socket.terminate();
  }
  await expectUnharmed();
});

test('Ctrl-C ends it soon while pages flood it, and the run is recorded', { tags: 'machine' }, async () => {
  const undisturbed = await serveLiveRun(join(temporaryFolder(), 'runs'));
  const undisturbedMs = await interruptedAfterMs(undisturbed.served);
  const flooded = await serveLiveRun(join(temporaryFolder(), 'runs'));
  onTestFinished(() => flooded.served.command.signal('SIGKILL'));
  for (const channel of servedChannels) {
    const { socket } = await flooded.served.open(channel);
    socket.pause();
    for (let number = 0; number < 5000; number++) socket.send(request('{"name":"listLiveSources"}'));
  }
  const { socket } = await flooded.served.open('engine');
  for (let number = 0; number < 5000; number++) socket.send(request('{"name":"removeStream","streamId":77}'));
  expect(await interruptedAfterMs(flooded.served)).toBeLessThan(longestEndMs(undisturbedMs));
  expect(readNamedRun(flooded.runFolder).state).toBe('finished');
});
