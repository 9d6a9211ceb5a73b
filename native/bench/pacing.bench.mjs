import { spawn, spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { figure, median } from '../../scripts/bench/figures.mjs';
import { rootFolder } from '../../scripts/setup/platform.mjs';
import { note } from '../../scripts/setup/report.mjs';

export const area = 'pacing';

const senderCounts = [1, 4, 16];
/** Off is the peer; ordinary: without the real-time priority that needs a right. */
const policies = ['off', 'ordinary', 'real-time'];
const quantiles = { p50: 'p50', p99: 'p99', p999: 'p99.9', max: 'max' };
const ndiFolder = path.join(rootFolder, 'node_modules/@grandi/linux-x64');

/** From each slot to the begin of its send call, idle and beside one busy process for each core; policies take turns. */
export async function run({ buildFolder, pairs = 3, seconds = 4 }) {
  const executable = path.join(buildFolder, 'pacing_jitter');
  const figures = [];
  for (const place of ['idle', 'hog']) {
    for (const senders of senderCounts) {
      figures.push(...figuresOf(senders, place, measured({ executable, place, senders, pairs, seconds })));
    }
  }
  return figures;
}

function measured({ executable, place, senders, pairs, seconds }) {
  const latenesses = Object.fromEntries(policies.map((policy) => [policy, []]));
  const hogs = place === 'hog' ? os.cpus().map(startHog) : [];
  try {
    for (let pair = 0; pair < pairs; pair++) {
      for (const policy of policies)
        latenesses[policy].push(latenessUs(executable, { senders, seconds, policy }));
    }
    for (const policy of policies)
      note('bench', `${senders} senders, ${place}, ${policy}: ${JSON.stringify(latenesses[policy])}`);
    return { latenesses };
  } catch (error) {
    return { latenesses, notMeasured: error.message };
  } finally {
    for (const hog of hogs) hog.kill('SIGKILL');
  }
}

function startHog() {
  return spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
}

function latenessUs(executable, { senders, seconds, policy }) {
  const options = {
    '--library': process.env.WHITELINE_NDI_PATH || ndiFolder,
    '--senders': senders,
    '--format': '320x180@60',
    '--seconds': seconds,
    '--policy': policy,
  };
  const jitter = spawnSync(executable, Object.entries(options).flat().map(String), { encoding: 'utf8' });
  if (jitter.status === 0) return JSON.parse(jitter.stdout).latenessUs;
  throw new Error(`pacing_jitter ended with status ${jitter.status}: ${jitter.error ?? jitter.stderr}`);
}

function figuresOf(senders, place, { latenesses, notMeasured }) {
  return policies.slice(1).flatMap((policy) =>
    Object.entries(quantiles).map(([key, name]) => {
      const ours = latenesses[policy].map((lateness) => lateness[key]);
      const peers = latenesses.off.map((lateness) => lateness[key]);
      return figure({
        id: `pacing.${name}-${senders}-${place}-${policy}`,
        unit: 'µs',
        value: median(ours),
        peer: 'policy off',
        peerValue: median(peers),
        ratio: median(ours.map((value, pair) => value / peers[pair]).filter(Number.isFinite)),
        notMeasured,
      });
    }),
  );
}
