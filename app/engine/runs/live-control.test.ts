import { afterEach, beforeEach, expect, test } from 'vitest';
import { testedOf } from '../../experiments/tested';
import { FakeApplication } from '../../testing/fake-application';
import { readNamedRun } from '../../testing/named-rows';
import { RemoteSender } from '../../testing/remote-sender';
import { SimulatedEngine } from '../../testing/simulated-engine';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { Engine } from '../engine';
import { csvOf } from '../reports/csv';
import { readEvents, readRun } from '../sessions/read-run';

const folder = temporaryFolder();
const elsewhere = 'RENDER-PC (Whiteline 1)';
const own = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };

let application: FakeApplication;
let simulated: SimulatedEngine;
let engine: Engine;
let sender: RemoteSender | null;

beforeEach(async () => {
  application = new FakeApplication();
  sender = null;
  simulated = new SimulatedEngine(application, folder);
  ({ engine } = simulated);
  await simulated.start();
});
afterEach(async () => {
  sender?.close();
  await simulated.close();
});

const receiving = () => application.host('receiving');
const run = () => readNamedRun(engine.state().run?.folder ?? '');
const until = (isSo: () => boolean) => simulated.clock.untilSo(isSo);
const follow = (source: string) => simulated.execute({ name: 'followSource', source });

test('a source of the network is followed into rows, over a new start of its sender, until it is removed', async () => {
  await follow(elsewhere);
  const [opened] = receiving().named('openReceiver');
  expect(opened).toMatchObject({ sourceName: elsewhere, askTime: true });
  expect(engine.state()).toMatchObject({ mode: 'live', source: null });
  expect(run()).toMatchObject({
    experiment: 'live',
    command: `whiteline watch '${elsewhere}'`,
    environment: { topology: 'receiver only' },
  });
  const streamId = opened?.streamId ?? Number.NaN;
  sender = new RemoteSender(simulated.clock, application, { streamId, sourceName: elsewhere });
  const shown = () => engine.state().streams[0];
  await until(() => shown()?.state === 'receiving');
  expect(shown()).toMatchObject({ id: streamId, name: elsewhere, isSenderRemote: true, width: 640 });
  // The row that opens by itself.
  await until(() => engine.rows().open !== null);
  sender.restart();
  await until(() => engine.rows().closed.length === 2);
  await until(() => engine.rows().open !== null);
  await until(() => Number(engine.rows().open?.figures.measuredSeconds) > 2);
  await simulated.execute({ name: 'removeStream' });
  expect(receiving().named('closeReceiver')).toEqual([{ name: 'closeReceiver', streamId }]);
  await simulated.execute({ name: 'stop' });
  const [baseline, row] = run().rows;
  expect(baseline?.kind === 'streams' && baseline.streams).toBe(0);
  expect(row?.kind === 'streams' && row.perStream[0]).toMatchObject({
    ...{ name: elsewhere, method: 'frame-code', framesMissing: 0, framesReordered: 0 },
    framesSubmitted: null,
  });
  expect(row?.notMeasured['sender.cpuMaxPercent']).toBe(
    'the sender runs on another machine and does not report it',
  );
  // Numbers of both begin at 0: the id says whose they are.
  const { rows } = readRun(engine.state().run?.folder ?? '');
  const ids = rows.flatMap(({ subjects }) => subjects.map(({ codeSourceId }) => codeSourceId));
  expect(ids).toEqual([expect.any(Number), expect.any(Number)]);
  expect(new Set(ids).size).toBe(2);
  // The hosts of this test have no sockets; that there is no row 0 to compare with does not matter.
  expect(row?.notMeasured.bitrateMbps).toMatch(/process/);
  const kinds = readEvents(engine.state().run?.folder ?? '').map(({ kind }) => kind);
  for (const kind of ['stream-added', 'stream-connected', 'sender-restarted', 'stream-removed'] as const)
    expect(kinds).toContain(kind);
  expect(engine.marks.map(({ label }) => label)).toEqual([elsewhere, elsewhere]);
});

test('a live run that followed several senders names all of them, in the command that repeats it too', async () => {
  await follow('KAM 2');
  await follow('KAM, 1');
  await simulated.execute({ name: 'followSource', source: 'RENDER-PC (C)', address: '192.0.2.7:5961' });
  await simulated.execute({ name: 'searchAddress', address: '192.0.2.8' });
  await simulated.execute({ name: 'followSource', source: 'RENDER-PC (D)', address: '192.0.2.7:5962' });
  await simulated.execute({ name: 'stop' });
  const { command, parameters, environment } = run();
  const sources = ['RENDER-PC (C)', 'RENDER-PC (D)', 'KAM 2', 'KAM, 1'];
  const address = ['192.0.2.7:5961', '192.0.2.7:5962'];
  // Addresses are those of the first names.
  expect(command).toBe(
    "whiteline watch 'RENDER-PC (C)' 'RENDER-PC (D)' 'KAM 2' 'KAM, 1' --address 192.0.2.7:5961 --address 192.0.2.7:5962 --from 192.0.2.8",
  );
  expect(parameters).toEqual({ names: sources, address, from: ['192.0.2.8'] });
  expect(testedOf({ parameters, environment }).sources).toEqual(sources);
  const [, cells = ''] = csvOf(readRun(engine.state().run?.folder ?? '')).split('\r\n');
  expect(cells.startsWith('"live","RENDER-PC (C), RENDER-PC (D), KAM 2, KAM, 1",'), cells).toBe(true);
});

test('what is done for the first stream is said from the first moment until the stream is there', async () => {
  const said: (string | null)[] = [];
  engine.listen({
    onChange: () => {
      const { adding, streams } = engine.state();
      if (streams.length === 0 && said.at(-1) !== adding) said.push(adding);
    },
    onView: () => undefined,
    onSample: () => undefined,
  });
  const added = simulated.ask({ name: 'addStream', parameters: own });
  await until(() => said[0] === 'opening');
  await simulated.clock.until(added);
  await until(() => engine.state().streams.length === 1);
  expect(said).toEqual(['opening', 'baseline', 'connecting']);
  expect(engine.state().adding).toBeNull();
  const refused = simulated.execute({ name: 'addStream', parameters: { ...own, format: '1x1@1' } });
  await expect(refused).rejects.toMatchObject({ code: 'BAD_INPUT' });
  expect(engine.state().adding).toBeNull();
});

test('a live run follows others or plays its own, and says what to do about it', async () => {
  await follow(elsewhere);
  for (const name of [elsewhere, elsewhere.toLowerCase()])
    await expect(follow(name)).rejects.toMatchObject({ code: 'NAME_IN_USE', field: 'source' });
  const mixed = simulated.execute({ name: 'addStream', parameters: own });
  await expect(mixed).rejects.toMatchObject({ code: 'BAD_INPUT', remedy: expect.stringContaining('Stop') });
  await until(() => engine.state().streams.length === 1);
  await simulated.execute({ name: 'removeStream' });
  // With no stream left the other kind takes over, in a run of its own.
  const followed = engine.state().run?.folder;
  await simulated.execute({ name: 'addStream', parameters: own });
  expect(engine.state().run?.folder).not.toBe(followed);
  await expect(follow(elsewhere)).rejects.toMatchObject({ code: 'BAD_INPUT', value: elsewhere });
  await simulated.execute({ name: 'stop' });
  expect(engine.state().mode).toBe('idle');
  await until(() => engine.state().streams.length === 0);
});

test('names of senders count from 1 in each live run', async () => {
  await simulated.execute({ name: 'addStream', parameters: own });
  await simulated.execute({ name: 'addStream', parameters: own });
  await simulated.execute({ name: 'stop' });
  await simulated.execute({ name: 'addStream', parameters: own });
  const opened = application.hosts.flatMap((host) => host.named('openSender'));
  expect(opened.map(({ streamId, senderName }) => [streamId, senderName])).toEqual([
    [1, 'Whiteline 1'],
    [2, 'Whiteline 2'],
    [3, 'Whiteline 1'],
  ]);
});

test('a receiving process that dies is started again with what it followed', async () => {
  await follow(elsewhere);
  const before = receiving();
  before.die();
  await until(() => receiving() !== before && receiving().named('openReceiver').length === 1);
  expect(receiving().named('openReceiver')).toEqual(before.named('openReceiver'));
});

test('a sender is followed at its address, and a host is asked for its senders, also by the process that comes next', async () => {
  await simulated.execute({ name: 'followSource', source: '192.0.2.7:5961', address: '192.0.2.7:5961' });
  expect(receiving().named('openReceiver')).toMatchObject([
    { sourceName: '192.0.2.7:5961', address: '192.0.2.7:5961' },
  ]);
  expect(await simulated.execute({ name: 'searchAddress', address: '192.0.2.8' })).toEqual({
    hasPort: false,
  });
  expect(receiving().named('searchHost')).toEqual([{ name: 'searchHost', host: '192.0.2.8' }]);
  expect(await simulated.execute({ name: 'searchAddress', address: '192.0.2.8:5961' })).toEqual({
    hasPort: true,
  });
  const before = receiving();
  before.die();
  await until(() => receiving() !== before && receiving().named('openReceiver').length === 1);
  expect(receiving().named('start')).toMatchObject([{ searchHosts: ['192.0.2.8'] }]);
  expect(before.named('searchHost')).toHaveLength(1);
});

test.each([
  { name: 'followSource', source: 'x', address: '192.0.2.7' },
  { name: 'followSource', source: 'x', address: 'render-pc:x' },
  { name: 'searchAddress', address: '300.1.1.1' },
  { name: 'searchAddress', address: '' },
] as const)('$name at "$address" is refused before anything is looked for', async (command) => {
  await expect(simulated.execute(command)).rejects.toMatchObject({ code: 'BAD_INPUT', field: 'address' });
  expect(
    application.hosts.flatMap((host) => [...host.named('openReceiver'), ...host.named('searchHost')]),
  ).toEqual([]);
});

test('sources are reported as discovery lists them, our own as such', async () => {
  application.answer = ({ name }) => {
    if (name === 'openSender') return 'HERE (Whiteline 1)';
    if (name !== 'discover') return null;
    return [
      { name: 'RENDER-PC (Whiteline 10)', address: '10.0.0.2:5961' },
      { name: 'HERE (Whiteline 1)', address: '127.0.0.1:5961' },
      { name: 'RENDER-PC (Whiteline 2)', address: '10.0.0.2:5962' },
      { name: 'RENDER-PC (Whiteline 2)', address: '192.168.0.2:5962' },
      { name: 'CAMERA (HX)', address: '' },
    ];
  };
  await simulated.execute({ name: 'addStream', parameters: own });
  expect(await simulated.execute({ name: 'listLiveSources' })).toEqual([
    { name: 'CAMERA (HX)', addresses: [], sender: 'other', format: null },
    {
      ...{ name: 'HERE (Whiteline 1)', addresses: ['127.0.0.1:5961'], sender: 'own' },
      format: { width: 640, height: 360, framesPerSecond: 30 },
    },
    {
      name: 'RENDER-PC (Whiteline 2)',
      addresses: ['10.0.0.2:5962', '192.168.0.2:5962'],
      ...{ sender: 'whiteline', format: null },
    },
    {
      ...{ name: 'RENDER-PC (Whiteline 10)', addresses: ['10.0.0.2:5961'] },
      ...{ sender: 'whiteline', format: null },
    },
  ]);
});

test('a stream that is renamed is called so from the next row on, and keeps its NDI name', async () => {
  await follow(elsewhere);
  const [opened] = receiving().named('openReceiver');
  const streamId = opened?.streamId ?? Number.NaN;
  sender = new RemoteSender(simulated.clock, application, { streamId, sourceName: elsewhere });
  await until(() => engine.rows().open !== null);
  await simulated.clock.pass(3000);
  await simulated.execute({ name: 'renameStream', streamId, streamName: ' Camera 3 ' });
  const shown = () => engine.state().streams[0];
  await until(() => shown()?.name === 'Camera 3');
  expect(shown()?.ndiName).toBe(elsewhere);
  await until(() => engine.rows().open !== null);
  await simulated.clock.pass(3000);
  // Another start of its sender changes no name.
  sender.restart();
  await until(() => engine.rows().closed.length >= 3);
  await simulated.execute({ name: 'stop' });
  const names = run().rows.flatMap((row) =>
    row.kind === 'streams' ? row.perStream.map(({ name }) => name) : [],
  );
  expect(names.slice(0, 2)).toEqual([elsewhere, 'Camera 3']);
  expect(new Set(names.slice(1))).toEqual(new Set(['Camera 3']));
});
