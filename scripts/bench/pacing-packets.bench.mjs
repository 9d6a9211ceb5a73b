import os from 'node:os';
import { note } from '../setup/report.mjs';
import { figure, median } from './figures.mjs';
import { openCable, sendStreams } from './pacer.mjs';

export const area = 'pacing-packets';

const methods = ['timer', 'spin'];
const classANs = 125_000;
const packetsPerWakeUp = [1, 8, 64];
/** Shorter and shorter, until packets are lost or the sender falls behind. */
const intervalsNs = [20_000, 10_000, 5_000, 4_000, 3_000, 2_500, 2_000, 1_600, 1_300, 1_000, 800];
const mostBehindNs = 50e6;
const streamCounts = [1, 8, 32];

/** Packets of a class A stream over a cable in memory: their spread, their cost, and how many a core can send. */
export async function run({ pairs = 10, seconds = 10 }) {
  const core = os.cpus().length - 1;
  const cable = await openCable();
  try {
    return [
      ...(await spreads(cable, { pairs, seconds, core })),
      ...(await wakeUps(cable, { seconds: 4, core })),
      await mostPackets(cable, { core }),
      ...(await listening(cable, { core, seconds: 2 })),
    ];
  } finally {
    cable.close();
  }
}

/** Truly in turns: what comes first changes with each pair, so that neither has the better half of a machine that drifts. */
async function spreads(cable, options) {
  const found = { timer: [], spin: [] };
  for (let pair = 0; pair < options.pairs; pair++) {
    for (const method of pair % 2 === 0 ? methods : [...methods].reverse()) {
      const one = await sendStreams(cable, { ...options, method, intervalNs: classANs, packetsPerWakeUp: 1 });
      if (one.received.lost > 0) note('bench', `${method}: ${one.received.lost} packets lost`);
      found[method].push(one);
    }
  }
  const compared = (id, unit, of, aim = {}) => {
    const [peers, ours] = methods.map((method) => found[method].map(of));
    return figure({
      ...{ id: `pacing-packets.${id}`, unit, value: median(ours), peer: 'timer', peerValue: median(peers) },
      ratio: median(ours.map((value, pair) => value / peers[pair])),
      ...aim,
    });
  };
  const spinRatios = found.spin.map((one, pair) => iqrOf(one) / iqrOf(found.timer[pair]));
  const rounded = spinRatios.map((ratio) => ratio.toFixed(3)).join(', ');
  note('bench', `IQR of spin / timer, pair by pair: ${rounded}`);
  const lost = [...found.timer, ...found.spin].reduce((sum, { received }) => sum + received.lost, 0);
  return [
    compared('spin-iqr', 'ns', iqrOf, { ratioAtMost: 0.25 }),
    figure({ id: 'pacing-packets.lost', unit: 'packets', value: lost, atMost: 0 }),
    ...undisturbed(found.spin),
    compared('spin-p999', 'ns', ({ intervals: { received } }) => received.p999Ns),
    compared('spin-sd', 'ns', ({ intervals: { received } }) => received.sdNs),
    compared('spin-sender-cpu', '%', ({ sent }) => cpuPercent(sent, options.seconds)),
    compared('spin-receiver-cpu', '%', ({ received }) => cpuPercent(received, options.seconds)),
  ];
}

function iqrOf({ intervals: { received } }) {
  return received.p75Ns - received.p25Ns;
}

/** Tails of spin without the windows in which something held its thread, beside those with them. */
function undisturbed(spins) {
  const id = (what) => `pacing-packets.spin-undisturbed-${what}`;
  const compared = (what, of) =>
    figure({
      ...{ id: id(what), unit: 'ns', peer: 'with holds' },
      value: median(spins.map(({ intervals }) => of(intervals.undisturbed))),
      peerValue: median(spins.map(({ intervals }) => of(intervals.received))),
    });
  return [
    compared('p999', ({ p999Ns }) => p999Ns),
    compared('sd', ({ sdNs }) => sdNs),
    compared('max', ({ maxNs }) => maxNs),
  ];
}

/** What handing over many packets at once saves, and what it costs. */
async function wakeUps(cable, options) {
  const figures = [];
  for (const many of packetsPerWakeUp) {
    const order = { ...options, method: 'timer', intervalNs: classANs, packetsPerWakeUp: many };
    const found = await sendStreams(cable, order);
    const id = (what) => `pacing-packets.timer-${many}-per-wake-up-${what}`;
    figures.push(
      figure({ id: id('cpu'), unit: '% of a core', value: cpuPercent(found.sent, options.seconds) }),
      figure({ id: id('wake-ups'), unit: '1/s', value: found.sent.wakeUps / options.seconds }),
      figure({ id: id('sd'), unit: 'ns', value: found.intervals.received.sdNs }),
    );
  }
  return figures;
}

async function mostPackets(cable, options) {
  let most = 0;
  for (const intervalNs of intervalsNs) {
    const order = { ...options, method: 'timer', intervalNs, packetsPerWakeUp: 64, seconds: 1 };
    const { received } = await sendStreams(cable, order);
    if (received.lost > 0 || received.latestNs > mostBehindNs) break;
    most = 1e9 / intervalNs;
  }
  return figure({ id: 'pacing-packets.most', unit: 'packets/s', value: most });
}

/** What listening to one stream costs while others pass by. */
async function listening(cable, options) {
  const figures = [];
  for (const streams of streamCounts) {
    const order = { ...options, streams, method: 'timer', intervalNs: classANs, packetsPerWakeUp: 64 };
    const { received } = await sendStreams(cable, order);
    const id = `pacing-packets.listener-of-${streams}`;
    figures.push(figure({ id, unit: '% of a core', value: cpuPercent(received, options.seconds) }));
  }
  return figures;
}

function cpuPercent({ processorNs }, seconds) {
  return processorNs / 1e7 / seconds;
}
