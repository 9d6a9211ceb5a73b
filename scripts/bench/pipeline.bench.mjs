import path from 'node:path';
import { note } from '../setup/report.mjs';
import { runBareLoop } from './bare-loop.mjs';
import { withEngineLoad } from './engine-load.mjs';
import { figure, median, ratioInterval } from './figures.mjs';

export const area = 'pipeline';

const streamCounts = [1, 2, 4];
const framesPerSecond = 60;
const peer = 'bare C++ loop over the SDK';
const figures = [
  { name: 'cpu-per-stream', unit: '% of a core', of: (side) => side.cpuPerStreamPercent, ratioAtMost: 1.1 },
  { name: 'cpu-per-frame', unit: 'ms', of: (side) => side.cpuPerFrameMs },
  { name: 'latency-p50', unit: 'ms', of: (side) => side.latencyP50Ms },
  { name: 'latency-p99', unit: 'ms', of: (side) => side.latencyP99Ms },
  { name: 'frames-lost', unit: 'of 1000', of: (side) => side.lostPerThousand },
];

/** `previews`: at 640×360, where they weigh most, while a window takes the previews of all streams; the peer makes none. */
export async function run({ buildFolder, pairs = 3, seconds = 6, previews = false, size, streams: only }) {
  const executable = path.join(buildFolder, 'ndi_bare_loop');
  return withEngineLoad(async (runLoad) => {
    const results = [];
    for (const streams of only ? [only] : streamCounts) {
      const pictures = size ?? (previews ? '640x360' : '1280x720');
      const load = { streams, format: `${pictures}@${framesPerSecond}`, seconds, previews };
      results.push(...figuresOf(load, await measurePairs(runLoad, executable, load, pairs)));
    }
    return results;
  });
}

/** Each pair is ours, peer, peer, ours, and the mean of each side: a machine that becomes slower on the way does so for both. */
async function measurePairs(runLoad, executable, load, pairs) {
  const measured = { ours: [], peers: [], notMeasured: undefined };
  let library;
  const runOurs = async () => {
    const result = await runLoad(load);
    library = result.ndi.path;
    return oursOf(result, load);
  };
  const runPeer = () => peerOf(runBareLoop(executable, { ...load, library }), load);
  try {
    for (let pair = 0; pair < pairs; pair++) {
      const first = await runOurs();
      const theirs = meanOf([runPeer(), runPeer()]);
      const ours = meanOf([first, await runOurs()]);
      measured.ours.push(ours);
      measured.peers.push(theirs);
      note('bench', `streams: ${load.streams}; ours ${textOf(ours)}; peer ${textOf(theirs)}`);
    }
  } catch (error) {
    measured.notMeasured = error.message;
  }
  return measured;
}

function meanOf([first, second]) {
  const mean = (name) =>
    first[name] === null || second[name] === null ? null : (first[name] + second[name]) / 2;
  return Object.fromEntries(Object.keys(first).map((name) => [name, mean(name)]));
}

/** The CPU of the sending and the receiving host, all threads, the SDK's own included; not the engine's. */
function oursOf({ cpuPercentOfCore, row, previewsTaken }, { streams, previews, seconds }) {
  if (previews && previewsTaken === 0) throw new Error('no preview came while previews were to be measured');
  const cpuPercent = cpuPercentOfCore.sending + cpuPercentOfCore.receiving;
  const receivedPerSecond = row.framesReceived / streams / row.measuredSeconds;
  const side = sideOf(cpuPercent / streams, receivedPerSecond, row.framesScheduled, row);
  return { ...side, previewsPerSecond: previewsTaken / streams / seconds };
}

function peerOf(loop, { streams, seconds }) {
  const framesDue = streams * framesPerSecond * seconds;
  return sideOf(loop.cpuPercentOfCorePerStream, loop.framesReceived / streams / seconds, framesDue, loop);
}

function sideOf(cpuPerStreamPercent, receivedPerSecond, framesDue, { framesReceived, latencyMs }) {
  return {
    cpuPerStreamPercent,
    cpuPerFrameMs: (cpuPerStreamPercent * 10) / receivedPerSecond,
    latencyP50Ms: latencyMs.p50,
    latencyP99Ms: latencyMs.p99,
    // The peer counts by time: a frame on its way at either end of it may be one too many or too few.
    lostPerThousand: (1000 * Math.max(0, framesDue - framesReceived)) / framesDue,
  };
}

function figuresOf({ streams, previews }, { ours, peers, notMeasured }) {
  const end = previews ? `${streams}-previews` : streams;
  return figures.map(({ name, unit, of, ratioAtMost }) => {
    const ratios = peers
      .map((theirs, pair) => of(ours[pair]) / of(theirs))
      .filter((ratio) => Number.isFinite(ratio) && ratio > 0);
    const id = `pipeline.${name}-${end}`;
    noteInterval(id, ratios);
    return figure({
      id,
      unit,
      value: median(ours.map(of)),
      peer,
      peerValue: median(peers.map(of)),
      ratio: median(ratios),
      ratioAtMost,
      notMeasured,
    });
  });
}

function noteInterval(id, ratios) {
  const interval = ratioInterval(ratios);
  if (!interval) return;
  const [mean, low, high] = [interval.mean, interval.low, interval.high].map((ratio) => ratio.toFixed(3));
  note('bench', `${id}: mean ratio ${mean}, 95 % interval ${low} to ${high}, of ${ratios.length} pairs`);
}

function textOf({
  cpuPerStreamPercent,
  cpuPerFrameMs,
  latencyP50Ms,
  latencyP99Ms,
  lostPerThousand,
  previewsPerSecond = 0,
}) {
  const figuresText = [
    `${cpuPerStreamPercent.toFixed(1)} % of a core per stream`,
    `${cpuPerFrameMs.toFixed(3)} ms of CPU per frame`,
    `latency ${latencyP50Ms?.toFixed(2)} and ${latencyP99Ms?.toFixed(2)} ms`,
    `${lostPerThousand.toFixed(1)} of 1000 frames lost`,
    ...(previewsPerSecond > 0 ? [`${previewsPerSecond.toFixed(1)} previews a second of each stream`] : []),
  ];
  return figuresText.join(', ');
}
