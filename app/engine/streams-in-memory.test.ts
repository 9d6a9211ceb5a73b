import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { frameNumbers } from '../facts/figure';
import type { StreamsRow } from '../facts/stream-row';
import { machineClock } from '../protocol/machine-clock';
import type { ReportData } from '../protocol/report';
import { range } from '../testing/columns';
import { FakeApplication } from '../testing/fake-application';
import { HostsHere } from '../testing/hosts-here';
import { roleLoad } from '../testing/load-sample';
import { SimulatedEngine, unknownMachine } from '../testing/simulated-engine';
import { SimulatedLoad } from '../testing/simulated-load';
import { temporaryFolder } from '../testing/temporary-folder';
import { Engine } from './engine';
import { exportText } from './reports/export';
import { readRun } from './sessions/read-run';
import { reasons } from './streams/rows/row-reasons';

// Streams of the transport `memory`, from the native addon to the report; no libndi is looked for.

const folder = temporaryFolder();
const transport = { name: 'memory' } as const;
let engine: Engine;

beforeEach(async () => {
  vi.stubEnv('WHITELINE_THREAD_POLICY', 'off');
  const load = new SimulatedLoad();
  load.next = { roles: { sending: roleLoad(3, 60, 'send'), receiving: roleLoad(2, 55, 'receive') } };
  engine = new Engine({
    ...{ application: new HostsHere(), clock: machineClock, appFolder: folder, runsFolder: folder },
    ...{ version: 'test', transport, readMachine: async () => unknownMachine, sampleLoad: load.sample },
  });
  await engine.start();
});
afterEach(() => engine.close());

test('each frame is followed, and a count that the transport does not know is not measured up to the report', async () => {
  expect(engine.state()).toMatchObject({ transport, alerts: [] });
  const faults = { inject: 'skip:10-14', injectFrom: 2 };
  const parameters = {
    ...{ name: 'Memory', format: '320x180@25', start: 2, maxStreams: 2, invalidRetries: 0, audio: false },
    // Nothing ends the ramp early, however busy the machine is.
    ...{ holdSeconds: 2, warmUpSeconds: 0.2, stopOn: ['loss'], stopAfterSeconds: 60, ...faults },
  };
  await engine.commands.startExperiment({ experiment: 'stream-load', parameters });
  await vi.waitFor(() => expect(engine.state().mode).toBe('idle'));
  const runFolder = engine.state().run?.folder ?? '';
  const run = readRun(runFolder);
  expect(run.environment).toMatchObject({ ndi: null, transport: 'memory' });
  const row = run.rows.at(-1) as StreamsRow;
  const [whole, skipped] = row.subjects;
  expectLostExactly(whole?.figures, []);
  const first = skipped?.figures.firstFrame ?? 0;
  const lost = range(first + 10, first + 14);
  expectLostExactly(skipped?.figures, lost);

  // Nothing is lost by the first stream, so that its queue dropped nothing; of the second one it is not known.
  expect(whole?.figures).toMatchObject({ framesDroppedReceiverQueue: 0, framesDroppedTransport: 0 });
  const unknown = { framesDroppedReceiverQueue: null, framesDroppedTransport: null };
  expect(skipped?.figures).toMatchObject(unknown);
  expect(row.figures).toMatchObject(unknown);
  const why = reasons.queueUncounted;
  expect(skipped?.notMeasured).toMatchObject({
    framesDroppedReceiverQueue: why,
    framesDroppedTransport: why,
  });
  expect(row.notMeasured.framesDroppedReceiverQueue).toBe(`Memory 2: ${why}`);
  const loss = skipped?.losses.find(({ stage }) => stage !== 'sender');
  expect(loss).toMatchObject({ stage: 'transport-or-queue', causes: [{ code: 'injected' }] });

  const [shown] = reportOf(runFolder).run.rows.slice(-1) as StreamsRow[];
  expect(shown?.subjects[1]?.notMeasured.framesDroppedReceiverQueue).toBe(why);
  expect(shown?.subjects[1]?.figures).toMatchObject(unknown);
});

test('hosts that are processes of their own are refused', async () => {
  const apart = new SimulatedEngine(new FakeApplication(), folder, undefined, { transport });
  await apart.start();
  expect(apart.engine.state().alerts).toMatchObject([
    { code: 'BAD_INPUT', message: expect.stringContaining('memory carries streams within one process') },
  ]);
  await apart.close();
});

/** A busy machine may miss a slot, whatever was to be skipped: it is lost once, and counted where it was. */
function expectLostExactly(figures: StreamsRow['subjects'][number]['figures'] | undefined, lost: number[]) {
  if (!figures) throw new Error('the row lacks a stream');
  const missed = frameNumbers(figures.missedFrames);
  const dropped = lost.filter((frame) => !missed.includes(frame));
  expect(frameNumbers(figures.droppedFrames)).toEqual(dropped);
  expect(figures.framesDropped).toBe(dropped.length);
  expect(figures.framesReceived).toBe((figures.framesSubmitted ?? 0) - dropped.length);
  expect(figures.conserved).toBe(true);
}

function reportOf(runFolder: string): ReportData {
  const template = '<script type="application/json" id="whiteline-run">{}</script>';
  const file = join(folder, 'template.html');
  writeFileSync(file, template);
  const page = exportText(runFolder, 'html', file);
  return JSON.parse(page.slice(template.indexOf('{}'), -'</script>'.length));
}
