import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { figure, median } from '../../scripts/bench/figures.mjs';
import { googleBenchmark, medianCpuTime } from '../../scripts/bench/google-benchmark.mjs';
import { makeClip } from '../../scripts/bench/make-clip.mjs';
import { note } from '../../scripts/setup/report.mjs';

export const area = 'hap';

const runProgram = promisify(execFile);
const size = '3840x2160';
const framesPerClip = 60;
const peer = 'ffmpeg to uyvy422, one thread';

// One picture read and decoded to UYVY on one thread, beside FFmpeg's way to the same format in the same run.
const clips = [
  { name: 'hap-q-8-chunks', variant: 'hap_q', chunks: 8, ratioAtMost: 1 / 10, atMostMs: 7 },
  { name: 'hap-q-1-chunk', variant: 'hap_q', chunks: 1, ratioAtMost: 1 / 10, atMostMs: 7 },
  { name: 'hap-8-chunks', variant: 'hap', chunks: 8, ratioAtMost: 1 / 4 },
  { name: 'hap-alpha-8-chunks', variant: 'hap_alpha', chunks: 8, ratioAtMost: 1 / 4 },
];

/** Clips are made in memory or on disk, wherever temporary files lie; they are read from the system's cache. */
export async function run({ buildFolder, pairs = 5 }) {
  const program = path.join(buildFolder, 'hap_throughput');
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const files = clips.map((clip) => ({ ...clip, file: madeClip(folder, clip) }));
    const results = [];
    for (const clip of files) results.push(...(await measured(clip.name, () => cost(program, clip, pairs))));
    const hapQ = files[0].file;
    results.push(...(await measured('unpaced', () => unpaced(program, hapQ))));
    results.push(...(await measured('paced', () => paced(program, hapQ))));
    results.push(
      ...(await measured('parts', () => partsOf(path.join(buildFolder, 'hap_kernels_bench'), hapQ))),
    );
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function madeClip(parentFolder, { name, variant, chunks }) {
  const folder = path.join(parentFolder, name);
  mkdirSync(folder);
  const seconds = framesPerClip / 60;
  const file = makeClip({ clip: 'flares', variant, chunks, size, seconds, folder });
  const rateMbps = (statSync(file).size * 8) / seconds / 1e6;
  note('bench', `flares as ${name}: ${size}@60, ${framesPerClip} frames, ${rateMbps.toFixed(0)} Mb/s`);
  return file;
}

async function measured(name, measure) {
  try {
    return await measure();
  } catch (error) {
    return [figure({ id: `hap.${name}`, unit: 'ms', notMeasured: error.message })];
  }
}

/** Ours, peer, ours, peer …: a machine that drifts does so for both. */
async function cost(program, { name, file, ratioAtMost, atMostMs }, pairs) {
  const ours = [];
  const peers = [];
  for (let pair = 0; pair < pairs; pair++) {
    const flags = ['--file', file, '--mode', 'cost', '--frames', String(2 * framesPerClip)];
    ours.push((await json(program, flags)).cpuMsPerFrame);
    peers.push(await ffmpegCpuMsPerFrame(file));
  }
  note('bench', `${name}: ours ${textOf(ours)}; peer ${textOf(peers)} CPU-ms a frame`);
  const value = median(ours);
  const ratio = median(ours.map((milliseconds, pair) => milliseconds / peers[pair]));
  const results = [
    figure({ id: `hap.cpu-${name}`, unit: 'ms', value, peer, peerValue: median(peers), ratio, ratioAtMost }),
  ];
  if (atMostMs !== undefined) {
    results.push(figure({ id: `hap.one-core-${name}`, unit: 'ms', value, atMost: atMostMs }));
  }
  return results;
}

async function unpaced(program, file) {
  const flags = ['--file', file, '--mode', 'unpaced', '--threads', '2', '--seconds', '5'];
  const { framesPerSecond } = await json(program, flags);
  return [figure({ id: 'hap.unpaced-2-threads', unit: 'fps', value: framesPerSecond, atLeast: 240 })];
}

async function paced(program, file) {
  const streams = 3;
  const flags = ['--file', file, '--mode', 'paced', '--streams', String(streams), '--seconds', '10'];
  const result = await json(program, flags);
  note('bench', `paced: ${JSON.stringify(result)}`);
  return [
    figure({
      id: `hap.paced-${streams}-late`,
      unit: 'frames',
      value: result.late + result.skipped,
      atMost: 0,
    }),
    figure({ id: `hap.paced-${streams}-frames`, unit: 'frames', value: result.released }),
    figure({ id: `hap.paced-${streams}-cpu`, unit: '% of a core', value: result.cpuPercentOfCore }),
    figure({ id: `hap.paced-${streams}-memory`, unit: 'MB', value: result.peakMemoryMb }),
  ];
}

/** What the two halves of the work cost, and the floor of any decoder: the same bytes read and written, undecoded. */
async function partsOf(executable, file) {
  const report = await googleBenchmark(executable, { environment: { WHITELINE_BENCH_CLIP: file } });
  return ['snappy', 'blocks', 'floor'].map((part) => {
    const value = medianCpuTime(report, `hap-q.${part}`);
    const notMeasured = value === null ? `hap-q.${part} is not in hap_kernels_bench` : undefined;
    return figure({ id: `hap.part-${part}`, unit: 'ms', value, notMeasured });
  });
}

/** By FFmpeg's own account (`-benchmark`), start and all. */
async function ffmpegCpuMsPerFrame(file) {
  const decode = ['-threads', '1', '-i', file, '-pix_fmt', 'uyvy422', '-f', 'null', '-'];
  const { stderr } = await runProgram('ffmpeg', ['-nostdin', '-hide_banner', '-benchmark', ...decode]);
  const match = /utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr);
  if (!match) throw new Error('ffmpeg did not tell what it took');
  return ((Number(match[1]) + Number(match[2])) * 1000) / framesPerClip;
}

async function json(program, flags) {
  const { stdout } = await runProgram(program, flags);
  return JSON.parse(stdout);
}

function textOf(values) {
  return values.map((value) => value.toFixed(2)).join(' ');
}
