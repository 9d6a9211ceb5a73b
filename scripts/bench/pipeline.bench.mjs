import path from 'node:path';
import { note } from '../setup/report.mjs';
import { runBareLoop } from './bare-loop.mjs';
import { withEngineLoad } from './engine-load.mjs';
import { figure, median } from './figures.mjs';

export const area = 'pipeline';

const streamCounts = [1, 2, 4];
const framesPerSecond = 60;
const format = `1280x720@${framesPerSecond}`;
const peer = 'bare C++ loop over the SDK';
const figures = [
  { name: 'cpu-per-stream', unit: '% of a core', of: (side) => side.cpuPerStreamPercent, ratioAtMost: 1.1 },
  { name: 'cpu-per-frame', unit: 'ms', of: (side) => side.cpuPerFrameMs },
  { name: 'latency-p50', unit: 'ms', of: (side) => side.latencyP50Ms },
  { name: 'latency-p99', unit: 'ms', of: (side) => side.latencyP99Ms },
  { name: 'frames-lost', unit: 'of 1000', of: (side) => side.lostPerThousand },
];

/** For each number of streams: ours, peer, ours, peer … so that a machine that drifts does so for both. */
export async function run({ buildFolder, pairs = 3, seconds = 8 }) {
  const executable = path.join(buildFolder, 'ndi_bare_loop');
  return withEngineLoad(async (runLoad) => {
    const results = [];
    for (const streams of streamCounts) {
      const load = { streams, format, seconds };
      results.push(...figuresOf(streams, await measurePairs(runLoad, executable, load, pairs)));
    }
    return results;
  });
}

async function measurePairs(runLoad, executable, load, pairs) {
  const measured = { ours: [], peers: [], notMeasured: undefined };
  try {
    for (let pair = 0; pair < pairs; pair++) {
      const result = await runLoad(load);
      const ours = oursOf(result, load);
      measured.ours.push(ours);
      const theirs = peerOf(runBareLoop(executable, { ...load, library: result.ndi.path }), load);
      measured.peers.push(theirs);
      note('bench', `streams: ${load.streams}; ours ${textOf(ours)}; peer ${textOf(theirs)}`);
    }
  } catch (error) {
    measured.notMeasured = error.message;
  }
  return measured;
}

/** The CPU of the sending and the receiving host, all threads, the SDK's own included; not the engine's. */
function oursOf({ cpuPercentOfCore, row }, { streams }) {
  const cpuPercent = cpuPercentOfCore.sending + cpuPercentOfCore.receiving;
  const receivedPerSecond = row.framesReceived / streams / row.measuredSeconds;
  return sideOf(cpuPercent / streams, receivedPerSecond, row.framesScheduled, row);
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

function figuresOf(streams, { ours, peers, notMeasured }) {
  return figures.map(({ name, unit, of, ratioAtMost }) => {
    const ratios = peers.map((theirs, pair) => of(ours[pair]) / of(theirs)).filter(Number.isFinite);
    return figure({
      id: `pipeline.${name}-${streams}`,
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

function textOf({ cpuPerStreamPercent, latencyP50Ms, latencyP99Ms, lostPerThousand }) {
  const figuresText = [
    `${cpuPerStreamPercent.toFixed(1)} % of a core per stream`,
    `latency ${latencyP50Ms?.toFixed(2)} and ${latencyP99Ms?.toFixed(2)} ms`,
    `${lostPerThousand.toFixed(1)} of 1000 frames lost`,
  ];
  return figuresText.join(', ');
}
