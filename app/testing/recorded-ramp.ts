import { changedRow, exampleRow } from './example-run';
import { loadSample } from './load-sample';
import { recordRun } from './recorded-run';

/** A ramp that reached its limit after some clean streams; each stream takes a share of the CPU. */
export interface RecordedRamp {
  hour: number;
  clean: number;
  streams: number;
  cpuPerStreamPercent: number;
}

const rampRowSeconds = 12;
const rampHoldSeconds = 10;
const networkPerStreamMbps = 120;
/** The machine without a stream. */
const idleCpuPercent = 4;

/** The files of a whole ramp, for what compares runs or draws them. */
export function recordRamp(path: string, ramp: RecordedRamp): string {
  const { hour, clean, streams, cpuPerStreamPercent } = ramp;
  const startedAt = `2026-11-20T${hour}:00:00.000Z`;
  const cpuOf = (count: number): number => Math.min(100, idleCpuPercent + count * cpuPerStreamPercent);
  const secondsOf = (row: number): number => row * rampRowSeconds;
  const wallMsOf = (seconds: number): number => Date.parse(startedAt) + seconds * 1000;
  const rows = Array.from({ length: streams + 1 }, (_, count) => {
    const load = { cpuMaxPercent: cpuOf(count) + 3, cpuMeanPercent: cpuOf(count) };
    const networkMaxMbps = count * networkPerStreamMbps;
    const submitted = count * rampHoldSeconds * 60;
    const missed = count > clean ? 12 * (count - clean) : 0;
    const example = exampleRow(count);
    const row = changedRow(example, {
      ...{ streams: count, label: count === 0 ? 'baseline' : '' },
      ...{ sender: { ...load, networkMaxMbps }, receiver: { ...load, networkMaxMbps } },
      figures: {
        framesScheduled: submitted,
        framesSenderMissed: missed,
        framesSubmitted: submitted - missed,
        framesReceived: submitted - missed,
        longestGapMs: count === 0 ? null : missed > 0 ? 216.7 : 16.7 + count,
        'latencyMs.p99': count === 0 ? null : 2 + count * count * 0.4,
      },
      verdict: missed > 0 ? 'FAIL' : 'PASS',
      reason: missed > 0 ? `the sender missed ${missed} frames` : 'no frame lost',
      subjects: count === 0 ? [] : example.subjects,
    });
    return {
      ...row,
      from: new Date(wallMsOf(secondsOf(count))).toISOString(),
      to: new Date(wallMsOf(secondsOf(count) + rampHoldSeconds)).toISOString(),
    };
  });
  const lastSecond = secondsOf(streams) + rampHoldSeconds;
  const samples = Array.from({ length: lastSecond }, (_, second) => {
    const count = Math.floor(second / rampRowSeconds);
    return loadSample({
      ...{ atNs: second * 1e9, wallMs: wallMsOf(second), streams: count },
      cpuPercent: cpuOf(count) + (second % 5) / 2,
      loopbackMbps: count * networkPerStreamMbps,
      latencyP50Ms: count === 0 ? null : 1 + count * 0.3,
      latencyP99Ms: count === 0 ? null : 2 + count * count * 0.4 + (second % 3) / 4,
      lostPerSecond: count > clean && second % 4 === 0 ? count - clean : 0,
    });
  });
  const isClean = clean >= streams;
  const limit = isClean ? '' : `; with ${clean + 1} streams, the sender was the limit`;
  return recordRun(path, {
    ...{ startedAt, endedAt: new Date(wallMsOf(lastSecond)).toISOString(), rows, samples },
    verdict: isClean ? 'PASS' : 'FAIL',
    reason: `${clean} streams ran without loss${limit}`,
  });
}
