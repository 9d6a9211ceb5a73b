import { cutShort } from '../../engine/experiment/cut-short';
import type { ContextWith, Experiment, Requirement } from '../../engine/experiment/experiment';
import { machineCheck } from '../../engine/experiment/machine-check';
import { openMachinesRow } from '../../engine/experiment/machines-row';
import { topologyOf, wayText } from '../../engine/experiment/on-machines';
import { openTableRow } from '../../engine/experiment/table-row';
import { oneMachine } from '../../engine/sessions/environment';
import { requireMovies } from '../../engine/streams/sources/require-movies';
import { chooseSource } from '../../engine/streams/sources/source-choice';
import { toolRequirement } from '../../engine/tools/tool-problem';
import type { Fact } from '../../facts/fact';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { throwAll, wrongBy } from '../../protocol/all-wrong';
import { toProblem } from '../../protocol/errors';
import { formatText } from '../../protocol/format';
import { checkBetween, endNames, lostMachine, machinesOfRow, openBetween } from './between-machines';
import { type PacingParameters, pacingDeclaration, pacingParameters } from './declaration';
import { isBetween, machinesOf, placesOf } from './machine-ends';
import { measure } from './measure';
import { pacersElsewhere } from './pacer-elsewhere';
import { inspectInterface, linuxAlone, pacerMissing } from './pacer-program';
import { failedRow, pacedRow, unmeasuredRow } from './pacing-rows';
import {
  checkPath,
  interfaceChecks,
  type OpenPath,
  openPath,
  type PathKind,
  pathKindOf,
  pathWords,
} from './path';
import { labelOf, type RowPlan, rowPlans, type StreamPlan, streamPlan } from './stream-plan';
import { besideSource, checkBeside, StreamsBeside } from './streams-beside';
import { pacingVerdict } from './verdict';

type PacingNeeds = 'helper' | 'tools' | 'streams' | 'machines';

export const pacing: Experiment<typeof pacingParameters, ClosedRow, PacingNeeds> = {
  declaration: pacingDeclaration,
  needs: (parameters) => [
    ...(['helper', 'tools'] as const),
    ...(parameters.beside === 'nothing' ? [] : (['streams'] as const)),
    ...(isBetween(parameters) ? (['machines'] as const) : []),
  ],
  requires(parameters) {
    const { sender, receiver } = machinesOf(parameters);
    // What other machines lack they are asked once they are taken.
    if (sender !== undefined && receiver !== undefined) return [];
    if (process.platform !== 'linux') return [linuxOnly];
    const isOwn = pathKindOf(parameters) === 'own';
    const fromUtilLinux = 'Install it (Debian: apt-get install util-linux)';
    return [
      pacerRequirement,
      ...(isOwn ? [toolRequirement('ip', 'Install it (Debian: apt-get install iproute2)')] : []),
      ...(isOwn ? ['unshare', 'nsenter'].map((tool) => toolRequirement(tool, fromUtilLinux)) : []),
    ];
  },
  machineChecks: [
    machineCheck(pacingParameters.pick({ beside: true, source: true }), async ({ beside, source }, host) => {
      if (beside !== 'nothing') await requireMovies([source], host);
    }),
    ...interfaceChecks,
  ],
  async check(parameters, host) {
    const stream = streamPlan(parameters);
    const checkWay = () =>
      isBetween(parameters) ? checkBetween(parameters, stream) : checkPath(parameters, stream);
    throwAll(await wrongBy(checkWay, () => checkBeside(parameters)));
    const played = besideSource(parameters);
    const video = played && (await chooseSource(played, host));
    const kind = pathKindOf(parameters);
    const path = pathWords[kind];
    const { rateHz, channels, bits, listenInterface, interface: name, peerInterface } = parameters;
    const sound = `AVTP, ${rateHz} Hz, ${channels} × ${bits} bit`;
    const packets = `${stream.samples} samples in ${stream.packetBytes} bytes every ${stream.intervalNs / 1000} µs`;
    const places = placesOf(parameters);
    const between = { interfaces: `${name} to ${peerInterface}`, machines: `UDP ${wayText(places)}` };
    const beside = video ? `, beside NDI streams of ${formatText(video.format)}` : '';
    return {
      subject:
        kind === 'listen'
          ? `AVTP on ${listenInterface}, ${path}`
          : `${sound}: ${packets}, ${{ own: path, loopback: path, ...between }[kind]}${beside}`,
      environment: {
        topology: topologies[kind] ?? topologyOf(places),
        pacing: { path, ...stream },
        ...(video && { source: video.environment }),
      },
    };
  },
  helpersElsewhere: pacersElsewhere,
  run,
  verdict: pacingVerdict,
};

/** Absent: machines of the fleet. */
const topologies: Partial<Record<PathKind, string>> = {
  ...{ own: oneMachine, loopback: oneMachine, interfaces: oneMachine },
  listen: 'this machine and another sender',
};

const linuxOnly: Requirement = {
  name: 'Linux',
  check: async () => linuxAlone,
};

const pacerRequirement: Requirement = {
  name: 'packet pacer',
  check: async () => pacerMissing(),
};

async function* run(parameters: PacingParameters, context: PacingContext): AsyncGenerator<ClosedRow> {
  const path = await (isBetween(parameters) ? openBetween(parameters, context) : openPath(parameters));
  try {
    const played = besideSource(parameters);
    const beside = played && (await StreamsBeside.open(context, played, path));
    try {
      yield* new PacingRun(parameters, context, path, beside).rows();
    } finally {
      await beside?.close();
    }
  } finally {
    await path.close();
  }
}

type PacingContext = ContextWith<PacingNeeds>;

/** Why a method was not measured: for the verdict, and for each figure. */
interface Unmeasurable {
  fact: Fact;
  why: string;
}

const launchTimesInMemory: Unmeasurable = {
  fact: reasonOf('launch-times-in-memory'),
  why: 'interfaces in memory keep no launch times: this needs a network card that has an ETF queue (--interface)',
};

const launchTimesOverUdp: Unmeasurable = {
  fact: reasonOf('launch-times-over-udp'),
  why: 'launch times need raw frames between two interfaces',
};

class PacingRun {
  private readonly stream: StreamPlan;
  private readonly plans: (RowPlan | null)[];
  private index = 0;

  constructor(
    private readonly parameters: PacingParameters,
    private readonly context: PacingContext,
    private readonly path: OpenPath,
    private readonly beside: StreamsBeside | null,
  ) {
    this.stream = streamPlan(parameters);
    this.plans = path.kind === 'listen' ? [null] : rowPlans(parameters, this.stream);
  }

  async *rows(): AsyncGenerator<ClosedRow> {
    for (const plan of this.plans) {
      const row = (await this.unmeasurable(plan)) ?? (await this.measure(plan));
      if (row) yield row;
      // Where a machine is gone, so is the run; rows before are kept.
      if (this.context.signal.aborted || lostMachine(this.path)) return;
      this.index += 1;
    }
  }

  /** Null if the method can be measured. */
  private async unmeasurable(plan: RowPlan | null): Promise<ClosedRow | null> {
    if (plan?.method !== 'txtime') return null;
    const isUdp = this.path.kind === 'loopback' || this.path.kind === 'machines';
    const missing = isUdp ? launchTimesOverUdp : await this.withoutLaunchQueue();
    if (!missing) return null;
    const { fact, why } = missing;
    return unmeasuredRow({ index: this.index, ...openTableRow(this.context)(0) }, plan, fact, why);
  }

  /** Null if the sending interface has a queue for it. */
  private async withoutLaunchQueue(): Promise<Unmeasurable | null> {
    const { interface: name } = this.path.sender;
    const facts = await inspectInterface(name, this.path.sender, this.context.tools.run);
    if (facts && facts.launchQueue !== '') return null;
    // They are gone with the run: no command could give them a queue.
    if (this.path.kind === 'own') return launchTimesInMemory;
    const command = `tc qdisc replace dev ${name} root etf clockid CLOCK_TAI delta 300000`;
    return {
      fact: reasonOf('launch-times-missing', { interface: name, command }),
      why: `${name} has no queue that takes launch times (${command})`,
    };
  }

  private async measure(plan: RowPlan | null): Promise<ClosedRow | null> {
    const { context, parameters, stream, path, index } = this;
    this.report(plan, 0);
    await this.beside?.become(plan?.streams ?? 0);
    const endBeside = await this.beside?.begin();
    const onMachines = machinesOfRow(path);
    const close =
      onMachines.length > 0 ? openMachinesRow(context, { machines: onMachines }) : openTableRow(context);
    const onSecond = ({ second }: { second: number }): void => this.report(plan, second + 1);
    try {
      const measured = await measure(context, { parameters, stream, path, index, onSecond }, plan);
      if (!measured) return null;
      const frame = { index, ...(await close(measured.measuredSeconds)) };
      const machines = endNames(path);
      const whole = { ...measured, beside: (await endBeside?.()) ?? null, machines };
      const row = pacedRow(frame, plan, whole, path.kind, context.thresholds);
      return cutShort(row, measured.measuredSeconds, parameters.holdSeconds);
    } catch (error) {
      const { code, message } = toProblem(error);
      const isOfRow = code === 'TOOL_FAILED' || code === 'HOST_DIED' || code === 'HOST_SILENT';
      const lost = lostMachine(path);
      if (!isOfRow && !lost) throw error;
      return failedRow({ index, ...(await close()) }, plan, message);
    }
  }

  private report(plan: RowPlan | null, elapsedSeconds: number): void {
    const { holdSeconds } = this.parameters;
    const rowsLeft = this.plans.length - this.index;
    const phaseElapsedSeconds = Math.min(elapsedSeconds, holdSeconds);
    this.context.progress({
      phase: plan ? labelOf(plan) : 'listening',
      ...{ step: this.index + 1, steps: this.plans.length },
      ...{ phaseSeconds: holdSeconds, phaseElapsedSeconds },
      remainingSeconds: rowsLeft * holdSeconds - phaseElapsedSeconds,
    });
  }
}
