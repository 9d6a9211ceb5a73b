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
export async function run({ pairs = 5, seconds = 4 }) {
  const core = os.cpus().length - 1;
  const cable = await openCable();
  try {
    return [
      ...(await spreads(cable, { pairs, seconds, core })),
      ...(await wakeUps(cable, { seconds, core })),
      await mostPackets(cable, { core }),
      ...(await listening(cable, { core, seconds: 2 })),
    ];
  } finally {
    cable.close();
  }
}

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
  return [
    compared('spin-iqr', 'ns', ({ intervals: { received } }) => received.p75Ns - received.p25Ns, {
      ratioAtMost: 0.25,
    }),
    compared('spin-p999', 'ns', ({ intervals: { received } }) => received.p999Ns),
    compared('spin-sd', 'ns', ({ intervals: { received } }) => received.sdNs),
    compared('spin-sender-cpu', '%', ({ sent }) => cpuPercent(sent, options.seconds)),
    compared('spin-receiver-cpu', '%', ({ received }) => cpuPercent(received, options.seconds)),
  ];
}

/** What handing over many packets at once saves. */
async function wakeUps(cable, options) {
  const figures = [];
  for (const many of packetsPerWakeUp) {
    const order = { ...options, method: 'timer', intervalNs: classANs, packetsPerWakeUp: many };
    const { sent } = await sendStreams(cable, order);
    const id = `pacing-packets.timer-${many}-per-wake-up`;
    figures.push(figure({ id, unit: '% of a core', value: cpuPercent(sent, options.seconds) }));
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
