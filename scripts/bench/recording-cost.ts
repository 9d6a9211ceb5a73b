import { statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { deriveInThread } from '../../app/engine/sessions/derive-run';
import { Recorder } from '../../app/engine/sessions/recorder';
import { runFiles } from '../../app/engine/sessions/run-files';
import { WallClock } from '../../app/engine/wall-clock';
import { binOf } from '../../app/facts/time-bins';
import { changedRow, exampleRow, exampleRun } from '../../app/testing/example-run';
import { loadSample } from '../../app/testing/load-sample';
import { SimulatedClock } from '../../app/testing/simulated-clock';

/**
 * What the end of a long `whiteline watch` of two streams costs to record: a row each 10 s and two samples a second, by
 * a clock that is set and not waited for. What is derived meanwhile is derived in its thread. Its arguments: the folder
 * of the run, that of the app, hours. Prints one JSON object.
 */
const [folder = '', appFolder = '', hours = '72'] = process.argv.slice(2);
const rowSeconds = 10;
const rows = (Number(hours) * 3600) / rowSeconds;

const clock = new SimulatedClock();
const startMs = clock.wallMs();
let derivations = 0;
const deriveOnce = deriveInThread(appFolder);
const derive: typeof deriveOnce = (...run) => {
  derivations += 1;
  return deriveOnce(...run);
};

const row = exampleRow(1);
const [stream] = row.subjects;
if (!stream) throw new Error('an example row has a stream');
const firstBin = binOf(2000);
const bins = {
  firstBin,
  counts: Array.from({ length: binOf(60_000) - firstBin }, (_, bin) => 30_000 >> (bin % 16)),
};
const histograms = ['latencyMs', 'submitIntervalMs', 'receiveIntervalMs'].map((id) => [
  `${id}.histogram`,
  bins,
]);
const watched = changedRow(row, {
  streams: 2,
  figures: { measuredSeconds: rowSeconds, ...Object.fromEntries(histograms) },
  subjects: [stream, { ...stream, id: '2', name: 'Whiteline 2' }],
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function measure(): Promise<void> {
  const { experiment, title, parameters, command, thresholds, environment } = exampleRun([]);
  const recorder = new Recorder({
    ...{ folder, derive, keepsRows: false, wall: new WallClock(clock) },
    start: { experiment, title, parameters, command, thresholds, environment },
    onProblem: (problem) => {
      throw problem;
    },
  });
  for (let index = 0; index < rows; index++) {
    const samples = Array.from({ length: rowSeconds * 2 }, (_, half) =>
      loadSample({ wallMs: startMs + (index * rowSeconds + half / 2) * 1000 }),
    );
    clock.stall(rowSeconds * 1000);
    const endedAt = new Date(clock.wallMs()).toISOString();
    for (const sample of samples) recorder.sample(sample);
    recorder.row({ ...watched, index, from: endedAt, to: endedAt });
    await turn();
  }
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedMs = performance.now();
  await recorder.end('finished', 'PASS', 'no frame lost');
  const endSeconds = (performance.now() - startedMs) / 1000;
  delay.disable();
  const result = {
    ...{ rows, derivations, endSeconds },
    endDelayMs: delay.max / 1e6 - 1,
    residentMb: process.resourceUsage().maxRSS / 1024,
    rowsMb: statSync(join(folder, runFiles.rows)).size / 1e6,
    samplesMb: statSync(join(folder, runFiles.samples)).size / 1e6,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

void measure();
