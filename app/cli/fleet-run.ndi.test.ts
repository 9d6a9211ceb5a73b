import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRun, readSamples } from '../engine/sessions/read-run';
import type { StreamsRow } from '../facts/stream-row';
import { range } from '../testing/columns';
import { uniqueName } from '../testing/command';
import { capturedIn, FleetHere } from '../testing/fleet-here';
import { readStreamRun } from '../testing/named-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

// A console and an agent with a monotonic clock of its own; a real nats-server and real NDI between them.

const folder = temporaryFolder();
const out = outputPaths(folder);

let fleet: FleetHere;
beforeEach(() => {
  fleet = new FleetHere(folder);
});
afterEach(() => fleet.close());

test('senders on another machine: frames are counted by what each end reports, and columns are of the machine of each', async () => {
  await fleet.startServer();
  await fleet.startAgent('render-1');
  const to = out('run');
  const run = fleet.whiteline([
    ...['run', 'stream-load', '--send-on', 'render-1', '--format', '640x360@30', '--max-streams', '1'],
    ...['--hold', '3s', '--warm-up', '500ms', '--invalid-retries', '0', '--name', uniqueName()],
    ...['--inject', 'skip:31-35; miss:60', '--stop-on', 'sender-miss', '--capture-logs', '--out', to],
  ]);
  const { output } = await run.ended;
  expect(output).toContain('up to 1 stream from render-1 to this machine');
  const { rows, environment } = readStreamRun(to);
  expect(environment).toMatchObject({ topology: 'sender on render-1, receiver on this machine' });
  // Each machine is described, and sampled twice a second into the run’s folder.
  expect(environment.hosts).toMatchObject([{ cores: expect.any(Number) }, { machine: { name: 'render-1' } }]);
  const ofRender = readSamples(to).filter(({ host }) => host === 'render-1');
  expect(ofRender.length).toBeGreaterThan(4);
  expect(ofRender.every(({ machine, interfaces }) => machine !== undefined && interfaces.length > 0)).toBe(
    true,
  );
  const row = rows.at(-1);
  const { rows: recorded } = readRun(to);
  for (const { load } of recorded as StreamsRow[])
    expect(load).toMatchObject({
      'render-1': { sender: {} },
      [hostname()]: { receiver: {}, instrument: {} },
    });
  const [stream] = row?.perStream ?? [];
  const [first, last] = [stream?.firstFrame ?? 0, stream?.lastFrame ?? 0];
  expect(stream?.framesReceived).toBe(capturedIn(join(to, 'captured-1.log'), first, last));
  expect(stream?.framesScheduled).toBe((stream?.framesSubmitted ?? 0) + (stream?.framesSenderMissed ?? 0));
  expect(stream?.droppedFrames).toEqual(expect.arrayContaining(range(first + 31, first + 35)));
  expect(stream?.missedFrames).toContain(first + 60);
  expect(stream?.conserved).toBe(true);
  // Both ends are processes of one machine here: the latency is small, whatever hours lie between their clocks. A machine that is too busy
  // to say so, and to be sampled, says why.
  const { latencyMs, latencyUncertaintyMs } = stream ?? {};
  expect(latencyMs?.min === null).toBe('latencyMs.min' in (stream?.notMeasured ?? {}));
  expect(latencyMs?.min ?? 0).toBeLessThan(100);
  expect(latencyUncertaintyMs ?? 1).toBeGreaterThan(0);
  if (latencyUncertaintyMs !== null) expect(output).toMatch(/ \d+\.\d+ ± \d+\.\d+ /);
  // Both agents and consoles of this test have one loopback, over which their streams go.
  for (const side of ['sender', 'receiver'] as const)
    expect(row?.[side].networkMaxMbps ?? 1).toBeGreaterThan(0);
  for (const side of ['sender', 'receiver'] as const)
    expect(row?.[side].cpuProcessMaxPercent === null).toBe(
      `${side}.cpuProcessMaxPercent` in (row?.notMeasured ?? {}),
    );
});

test('streams are received on three machines in turn, and counted as each of them reports', async () => {
  await fleet.startServer();
  await Promise.all(['display-1', 'display-2'].map((name) => fleet.startAgent(name)));
  const to = out('several');
  const run = fleet.whiteline([
    ...['run', 'stream-load', '--receive-on', 'display-2,this machine,display-1', '--format', '640x360@30'],
    ...['--start', '4', '--max-streams', '4', '--hold', '3s', '--warm-up', '500ms', '--invalid-retries', '0'],
    ...['--name', uniqueName(), '--stop-on', 'sender-miss', '--capture-logs', '--out', to],
  ]);
  const { output } = await run.ended;
  expect(output).toContain('from this machine to display-2, this machine and display-1 in turn');
  const row = readRun(to).rows.at(-1) as StreamsRow;
  const places = ['display-2', hostname(), 'display-1', 'display-2'];
  expect(row.subjects.map(({ hosts }) => hosts)).toEqual(
    places.map((receiver) => ({ sender: hostname(), receiver })),
  );
  for (const [index, { id, figures, notMeasured }] of row.subjects.entries()) {
    const place = places[index] ?? '';
    const log = join(to, place === hostname() ? `captured-${id}.log` : `captured-${id}-on-${place}.log`);
    // As the agent keeps it, which was started with --logs.
    if (place !== hostname()) expect(readFileSync(log)).toEqual(readFileSync(fleet.captureLog(place, id)));
    expect(figures.framesReceived, id).toBe(capturedIn(log, figures.firstFrame ?? 0, figures.lastFrame ?? 0));
    expect(figures.framesReceived, id).toBeGreaterThan(0);
    expect(figures.conserved, id).toBe(true);
    expect(figures['latencyMs.p50'] === null, id).toBe('latencyMs.p50' in notMeasured);
  }
  for (const name of places) expect(row.load[name]?.receiver, name).toBeDefined();
});

test.each([
  ['display-1,display-1', 'display-1 twice', 'Leave the second one out'],
  ['this machine,display-9', 'received display-9', 'whiteline agent'],
])('--receive-on %s is refused, with what to do', async (places, what, remedy) => {
  await fleet.startServer();
  const run = fleet.whiteline(['run', 'receiver-fan-out', '--receive-on', places, '--out', out('refused')]);
  const { errors, exitCode } = await run.ended;
  for (const words of ['--receive-on', what, remedy]) expect(errors).toContain(words);
  expect(exitCode).toBe(2);
});

test('a machine whose agent is not connected is refused, with what to do', async () => {
  await fleet.startServer();
  const run = fleet.whiteline(['run', 'stream-load', '--send-on', 'render-7', '--out', out('none')]);
  const { errors, exitCode } = await run.ended;
  expect(errors).toContain('Expected a machine whose agent is connected for --send-on but received render-7');
  expect(errors).toContain('whiteline agent');
  expect(exitCode).toBe(2);
});
