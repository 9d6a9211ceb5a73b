import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenCapabilities } from '../engine/capabilities/open-capabilities';
import { waysToOpen } from '../engine/capabilities/ways-to-open';
import { isoOf, machineClock } from '../engine/clock';
import { Instrument } from '../engine/instrument';
import { withoutInterfaces } from '../engine/load/sampler';
import { NodeApplication } from '../engine/node-application';
import { type PreparedRun, prepareRun } from '../engine/runs/prepared-run';
import { measuredRows } from '../engine/runs/runner';
import { type Problem, toProblem } from '../protocol/errors';
import {
  type FromExperiment,
  type PrepareExperiment,
  type ToExperiment,
  wireOf,
} from '../protocol/fleet/experiment-messages';
import { keepAlive } from '../protocol/host';
import { KeepAlive } from '../protocol/keep-alive';
import type { LoadSample } from '../protocol/load';
import { onParentGone } from '../protocol/own-child';
import { contentHosts } from './content-host';
import { appFolder, bundle } from './folders';

/** Entry of a process that runs one experiment whole, as an agent starts it for a console on another machine. */

type Begin = Extract<ToExperiment, { type: 'begin' }>;

/** Samples that the next row may still need. */
const keptNs = 3e9;
/** Consoles show no more. */
const progressEveryNs = 0.5e9;

const abort = new AbortController();
const begins: { resolve(begin: Begin): void } = { resolve: () => undefined };
const begun = new Promise<Begin>((resolve) => {
  begins.resolve = resolve;
});
const agent = new KeepAlive(machineClock, () => process.exit(0));

process.on('message', (message: PrepareExperiment | ToExperiment | typeof keepAlive) => {
  if (message.type === keepAlive.type) agent.hear();
  else if (message.type === 'begin') begins.resolve(message);
  else if (message.type === 'stop') abort.abort();
  else if (message.type === 'prepare') void carryOut(message);
});
// Its agent is gone, or ends it: tools and stream hosts end with this process.
onParentGone(() => process.exit(0));

function post(message: FromExperiment): void {
  const { json } = wireOf(message);
  if (process.connected) process.send?.(json);
}

async function carryOut(asked: PrepareExperiment): Promise<void> {
  let problem: Problem | null = null;
  try {
    const prepared = await prepareRun(asked.experiment, asked.parameters, contentHosts.native);
    const { subject, environment } = prepared;
    post({ type: 'prepared', subject, environment });
    await measure(prepared, await begun);
  } catch (error) {
    problem = toProblem(error);
  }
  // The agent hears its last words before the end of the channel.
  process.send?.(wireOf({ type: 'ended', problem }).json, undefined, undefined, () => process.exit(0));
}

async function measure(
  { experiment, parameters }: PreparedRun,
  { wallOffsetUs, thresholds }: Begin,
): Promise<void> {
  const samples: LoadSample[] = [];
  const noteEvent = (
    kind: Extract<FromExperiment, { type: 'event' }>['kind'],
    text: string,
    details = {},
  ): void => post({ type: 'event', kind, text, details });
  const instrument = new Instrument({
    application: new NodeApplication({
      streamHostFile: bundle('streamhost.cjs'),
      reportTemplate: '',
      appFolder,
      // What its agent takes of this machine is ours.
      consoleProcessIds: [process.ppid],
    }),
    clock: machineClock,
    appFolder,
    content: contentHosts.work,
    noteEvent,
    onSample: (sample) => samples.push(withoutInterfaces(sample)),
    onChange: () => undefined,
  });
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-experiment-'));
  // However it ends, but for a kill.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const ways = waysToOpen(instrument, {
    ...{ thresholds, noteEvent },
    warmUpSeconds: Number(parameters.warmUpSeconds ?? 0),
    samples: () => samples,
    native: () => contentHosts.open(),
  });
  const capabilities = new OpenCapabilities(ways);
  let toldNs = Number.NEGATIVE_INFINITY;
  try {
    const rows = measuredRows(
      {
        ...{ experiment, parameters, thresholds, samples, folder, noteEvent, signal: abort.signal },
        // Times are those of the console's run.
        wall: { clock: machineClock, isoNow: () => isoOf(machineClock.monotonicNs(), wallOffsetUs) },
        standstills: (fromNs, toNs) => instrument.set.standstills(fromNs, toNs),
        processIds: () => instrument.processIds(),
        onProgress: (progress) => {
          const nowNs = machineClock.monotonicNs();
          if (nowNs < toldNs + progressEveryNs) return;
          toldNs = nowNs;
          post({ type: 'progress', progress });
        },
      },
      capabilities,
    );
    for await (const row of rows) {
      post({ type: 'row', row });
      const fromNs = machineClock.monotonicNs() - keptNs;
      samples.splice(
        0,
        samples.findIndex(({ atNs }) => atNs >= fromNs),
      );
    }
  } finally {
    for (const text of await capabilities.closeAll()) noteEvent('problem', text);
    await instrument.close();
  }
}
