import { writeFileSync } from 'node:fs';
import type { MovieCheckStatus, MovieFacts, SourceStatus } from '../protocol/records';

/** A Hap Q movie of ten seconds at 59.94 frames a second, as a stream host finds it. */
export function movieFacts(change: Partial<MovieFacts> = {}): MovieFacts {
  return {
    fourCC: 'HapY',
    variant: 'Hap Q',
    width: 3840,
    height: 2160,
    isTurned: false,
    pixelAspect: 1,
    rateNumerator: 60000,
    rateDenominator: 1001,
    constantRate: true,
    frames: 600,
    durationSeconds: 10.01,
    fileBytes: 2_250_000_000,
    bitrateMbps: 1800,
    largestFrameBytes: 4_000_000,
    chunksMin: 8,
    chunksMax: 8,
    compressor: 'snappy',
    problems: [],
    ...change,
  };
}

export function checked(change: Partial<MovieCheckStatus> = {}): MovieCheckStatus {
  const nothing = { framesDecoded: 0, damagedFrames: 0, damage: [], problem: null };
  return { state: 'done', facts: movieFacts(), ...nothing, ...change };
}

export const notHap = checked({
  state: 'failed',
  facts: null,
  problem: { code: 'MOVIE_NOT_HAP', message: 'its codec is avc1' },
});

/** A file that is there and holds something; what it is, a fake host says. */
export function fileOf(path: string): string {
  writeFileSync(path, 'bytes');
  return path;
}

export function sourceStatus(change: Partial<SourceStatus> = {}): SourceStatus {
  const started = {
    state: 'running',
    sourceId: 4711,
    startNs: 1e9,
    message: '',
    commandProcessId: 0,
  } as const;
  return { ...started, diskRateMBps: null, damagedPictures: 0, damage: '', realTimeFinding: '', ...change };
}
