import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { figure, median } from '../../scripts/bench/figures.mjs';
import { googleBenchmark, medianCpuTime } from '../../scripts/bench/google-benchmark.mjs';

export const area = 'quality';

const runProgram = promisify(execFile);
const peer = 'ffmpeg psnr and ssim, one thread';
const size = '1920x1080';
const fewFrames = 20;
const manyFrames = 220;

/** PSNR and SSIM of one pair of 1080p pictures on one thread, beside ffmpeg's filters on pictures that it holds. */
export async function run({ buildFolder, minTimeSeconds = 0.5, pairs = 3 }) {
  try {
    const report = await googleBenchmark(path.join(buildFolder, 'quality_bench'), { minTimeSeconds });
    const value = medianCpuTime(report, 'quality.compare-1080');
    const masked = medianCpuTime(report, 'quality.compare-masked-1080');
    const peers = [];
    for (let pair = 0; pair < pairs; pair++) peers.push(await ffmpegCpuMsPerPair());
    const peerValue = median(peers);
    return [
      figure({ id: 'quality.compare-1080', unit: 'ms', value, peer, peerValue, ratio: value / peerValue }),
      figure({ id: 'quality.compare-masked-1080', unit: 'ms', value: masked }),
    ];
  } catch (error) {
    return [figure({ id: 'quality.compare-1080', unit: 'ms', notMeasured: error.message })];
  }
}

/** Both filters less what the same command takes without them; and many frames less few: starting up costs no frame. */
async function ffmpegCpuMsPerPair() {
  const filtered = '[a]split[a1][a2];[b]split[b1][b2];[a1][b1]psnr[p];[a2][b2]ssim[s];[p][s]hstack';
  const bare = '[a]split[a1][a2];[b]split[b1][b2];[a1][b1]hstack[p];[a2]nullsink;[b2]nullsink;[p]null';
  return (await cpuMsPerFrame(filtered)) - (await cpuMsPerFrame(bare));
}

async function cpuMsPerFrame(graph) {
  const few = await cpuMs(graph, fewFrames);
  return ((await cpuMs(graph, manyFrames)) - few) / (manyFrames - fewFrames);
}

async function cpuMs(graph, frames) {
  // One picture of each, repeated by reference: no frame is made anew.
  const held = (source, name) =>
    `${source}=s=${size}:d=0.04:r=25,format=yuv422p,loop=loop=-1:size=1[${name}]`;
  const graphs = [held('testsrc2', 'a'), held('smptebars', 'b'), graph].join(';');
  const flags = ['-v', 'info', '-nostdin', '-benchmark', '-threads', '1', '-filter_complex_threads', '1'];
  const output = ['-frames:v', String(frames), '-f', 'null', '-'];
  const { stderr } = await runProgram('ffmpeg', [...flags, '-filter_complex', graphs, ...output]);
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  if (user === undefined) throw new Error('ffmpeg reported no CPU time');
  return (Number(user) + Number(system)) * 1000;
}
