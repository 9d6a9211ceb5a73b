import { mkdirSync } from 'node:fs';
import { machineClock } from '../../app/engine/clock';
import { deriveRunFile } from '../../app/engine/sessions/derive-run';
import { Recorder } from '../../app/engine/sessions/recorder';
import { WallClock } from '../../app/engine/wall-clock';
import { frameRanges } from '../../app/facts/figure';
import type { Loss } from '../../app/facts/loss';
import type { StreamsRow } from '../../app/facts/stream-row';
import { binOf } from '../../app/facts/time-bins';
import type { LoadSample } from '../../app/protocol/load';
import { changedRow, exampleRow, exampleRun } from '../../app/testing/example-run';
import { loadSample } from '../../app/testing/load-sample';

/**
 * Writes the run folder of a ramp of many streams over ten minutes: rows and samples of the real shape, with losses. Its
 * arguments: the folder, streams, seconds.
 */
const [folder = '', streams = '16', seconds = '600'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
write(Number(streams), Number(seconds));

function write(mostStreams: number, totalSeconds: number): void {
  const { experiment, title, parameters, command, thresholds } = exampleRun([]);
  const recorder = new Recorder({
    folder,
    wall: new WallClock(machineClock),
    start: {
      experiment,
      title,
      parameters,
      command,
      thresholds,
      environment: { hosts: [{ hostName: 'bench' }] },
    },
    derive: async (...derived) => deriveRunFile(...derived),
    onProblem: (problem) => {
      throw problem;
    },
  });
  const startMs = Date.parse('2026-11-21T19:00:00.000Z');
  const rowSeconds = totalSeconds / (mostStreams + 1);
  for (let index = 0; index <= mostStreams; index++) {
    const fromMs = startMs + index * rowSeconds * 1000;
    recorder.event('stream-added', `${index} streams`, { streams: index }, index + 1);
    for (let half = 0; half < rowSeconds * 2; half++) recorder.sample(sampleAt(fromMs + half * 500, index));
    recorder.row(rowAt(index, fromMs, rowSeconds));
  }
  recorder.end('finished', 'FAIL', `${mostStreams - 4} streams carried without losing a frame`);
}

function sampleAt(wallMs: number, streams: number): LoadSample {
  const wobble = Math.sin(wallMs / 3000) + Math.sin(wallMs / 700) * 0.3;
  const percent = 5 + streams * 5.3 + wobble;
  const parts = (['compose', 'send', 'sdk', 'runtime', 'content'] as const).map((name, index) => ({
    ...{ name, cpuPercent: percent / (7 + index), threads: streams + index },
  }));
  const role = { cpuPercent: percent * 0.4, memoryMb: 60 + streams * 11.37, stopped: false, parts };
  const traffic = {
    receiveMbps: streams * 113.1 + wobble,
    transmitMbps: streams * 113.1 - wobble,
    errors: 0,
    dropped: 0,
  };
  const noErrors = { receiveErrors: 0, transmitErrors: 0, receiveDropped: 0, transmitDropped: 0 };
  const link = { linkMbps: 10_000, mtuBytes: 1500, notMeasured: {} };
  return loadSample({
    wallMs,
    cpuPercent: percent,
    busiestCorePercent: percent * 1.2,
    roles: { sending: role, receiving: role, console: role },
    loopbackMbps: streams * 113.1 + wobble,
    wireReceiveMbps: Math.abs(wobble),
    wireTransmitMbps: Math.abs(wobble) / 3,
    interfaces: ['lo', 'eth0', 'eth1'].map((name) => ({
      name,
      loopback: name === 'lo',
      ...traffic,
      ...noErrors,
      ...link,
    })),
    streams,
    lostPerSecond: Math.max(0, streams - 12),
  });
}

/** The last four rows lose frames, all streams of them, as a machine does that has reached its limit. */
function rowAt(index: number, fromMs: number, rowSeconds: number): StreamsRow {
  const row = exampleRow(index);
  const [stream] = row.subjects;
  if (!stream) throw new Error('an example row has a stream');
  const frames = Math.round(rowSeconds * 60);
  const lost = index > 12 ? 120 : 0;
  const dropped = Array.from({ length: lost * 2 }, (_, frame) => 4000 + frame * 3);
  const figures = {
    ...stream.figures,
    ...{ framesDropped: lost * 2, framesReceived: frames - lost * 2, droppedFrames: frameRanges(dropped) },
  };
  const subjects = Array.from({ length: index }, (_, at) => ({
    ...{ ...stream, id: String(at + 1), name: `Whiteline ${at + 1}`, figures },
    losses: Array.from({ length: lost }, (_, loss) => lossAt(fromMs + loss * 200, 4000 + loss * 6, index)),
  }));
  const changed = changedRow(row, {
    ...{ streams: index, subjects, verdict: lost > 0 ? 'FAIL' : 'PASS' },
    reason: lost > 0 ? `Whiteline 1: ${lost * 2} frames lost` : '',
    figures: {
      measuredSeconds: rowSeconds,
      'latencyMs.histogram': bins(2000, 90_000),
      'submitIntervalMs.histogram': bins(16_000, 18_000),
      'receiveIntervalMs.histogram': bins(9000, 60_000),
    },
  });
  return {
    ...changed,
    ...{
      from: new Date(fromMs).toISOString(),
      to: new Date(fromMs + rowSeconds * 1000).toISOString(),
    },
  };
}

function bins(fromUs: number, toUs: number) {
  const firstBin = binOf(fromUs);
  return {
    firstBin,
    counts: Array.from({ length: binOf(toUs) - firstBin + 1 }, (_, bin) => 30_000 >> (bin % 16)),
  };
}

function lossAt(startMs: number, frame: number, streams: number): Loss {
  return {
    ...{ stage: 'transport', firstFrame: frame, lastFrame: frame + 1, frames: 2, streamsTogether: streams },
    startedAt: new Date(startMs).toISOString(),
    endedAt: new Date(startMs + 33).toISOString(),
    text:
      '2 frames between 19:00:01.000 and 19:00:01.033 were submitted and never arrived; the CPU that sender and receiver ' +
      `share was at 97 %; on all ${streams} streams at once: check what they share`,
  };
}
