import { randomBytes } from 'node:crypto';
import type { ContextWith, Experiment, Requirement } from '../../engine/experiment/experiment';
import { openMachinesRow } from '../../engine/experiment/machines-row';
import { isElsewhere, topologyOf, wayText } from '../../engine/experiment/on-machines';
import { oneMachine } from '../../engine/sessions/environment';
import { tooManyOpenFiles } from '../../engine/tools/open-files';
import { mayMakeNetworks } from '../../engine/tools/rights';
import { toolRequirement } from '../../engine/tools/tool-problem';
import type { ClosedRow } from '../../facts/row';
import { type ErrorCode, toProblem } from '../../protocol/errors';
import { receiversOf } from '../../protocol/stream-parameters';
import { goneMachine, openMachines } from './between-machines';
import { checkFanOut, networkTools } from './checks';
import { type FanOutParameters, fanOutDeclaration, type fanOutParameters } from './declaration';
import { fanOutElsewhere } from './fan-out-elsewhere';
import { findFanOut, howToGetFanOut, inspectFanOut, mayNotCount } from './fan-out-program';
import { failedRow, measuredRow } from './fan-out-rows';
import { machinesOfRow } from './machine-loads';
import { beginAheadMs, beginAheadOnMachinesMs, matchLimitMs, measure } from './measure';
import { type OpenPath, openPath, pathKindOf, pathWords } from './path';
import { neededRoom, whoText } from './room';
import { labelOf, type RowPlan, rowPlans } from './row-plan';
import { fanOutVerdict } from './verdict';
import { stopped } from './waiting';

export const fanOut: Experiment<typeof fanOutParameters, ClosedRow, Needed> = {
  declaration: fanOutDeclaration,
  needs: (parameters) =>
    isElsewhere(parameters) ? ['helper', 'machine', 'machines'] : ['helper', 'machine'],
  requires(parameters) {
    if (!isHere(parameters)) return [];
    if (process.platform !== 'linux') return [linuxOnly];
    const kind = pathKindOf(parameters);
    if (kind === 'machines')
      return [fanOutRequirement, ...(parameters.sendOn === undefined ? rawFrames() : [])];
    if (kind === 'loopback') return [fanOutRequirement, ...rawFrames()];
    const tools = Object.entries(networkTools).map(([tool, packageName]) =>
      toolRequirement(tool, `Install it (Debian: apt-get install ${packageName})`),
    );
    return [fanOutRequirement, ownNetworks, ...tools, ...rawFrames()];
  },
  async check(parameters) {
    await checkFanOut(parameters);
    const { link, domain } = parameters;
    const kind = pathKindOf(parameters);
    const needed = neededRoom(parameters);
    if (kind === 'machines')
      return {
        subject: `Fast DDS, domain ${domain}, ${wayText(parameters)}: up to ${whoText(needed)}`,
        environment: { topology: topologyOf(parameters), fanOut: { path: pathWords[kind] } },
      };
    const { version } = await inspectFanOut();
    const shaped = link === undefined ? '' : `, uplink of ${link} Mb/s`;
    const most = `up to ${whoText(needed)}, about ${needed.memoryMb.toFixed(0)} MB`;
    return {
      subject: `Fast DDS ${version}, domain ${domain}, over ${pathWords[kind]}${shaped}: ${most}`,
      environment: {
        topology: oneMachine,
        fanOut: { library: `Fast DDS ${version}`, path: pathWords[kind], linkMbps: link ?? null },
      },
    };
  },
  helpersElsewhere: fanOutElsewhere,
  run,
  verdict: fanOutVerdict,
};

type Needed = 'helper' | 'machine' | 'machines';

/** An end is on this machine. */
function isHere(parameters: FanOutParameters): boolean {
  return parameters.sendOn === undefined || receiversOf(parameters).includes(undefined);
}

const linuxOnly: Requirement = {
  name: 'Linux',
  check: async () => 'Datagrams are counted on Linux only. Run it on a machine with Linux',
};

const fanOutRequirement: Requirement = {
  name: 'Fast DDS',
  check: async () => (findFanOut() ? null : `The DDS fan-out was not found. ${howToGetFanOut}`),
};

const mayCount: Requirement = {
  name: 'right to count datagrams',
  check: async () => ((await inspectFanOut()).mayUseRawFrames ? null : mayNotCount()),
};

/** If the program is missing, its rights are not checked. */
function rawFrames(): Requirement[] {
  return findFanOut() ? [mayCount] : [];
}

const ownNetworks: Requirement = {
  name: 'network namespaces',
  check: async () =>
    mayMakeNetworks()
      ? null
      : 'Namespaces of our own need root (CAP_NET_ADMIN, CAP_SYS_ADMIN). Start Whiteline as root, or leave out --namespaces',
};

type FanOutContext = ContextWith<Needed>;

/** A process failed, or a machine is out of reach: rows before are as good as they were. */
const endsRow: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['TOOL_FAILED', 'HOST_DIED', 'HOST_SILENT'] as const),
  ...(['AGENT_UNREACHABLE', 'AGENT_SILENT', 'BUS_UNREACHABLE', 'LEASE_ENDED', 'LEASE_HELD'] as const),
]);

async function* run(parameters: FanOutParameters, context: FanOutContext): AsyncGenerator<ClosedRow> {
  const path = await opened(parameters, context);
  try {
    yield* new FanOutRun(parameters, context, path).rows();
  } finally {
    await path.close();
  }
}

/** Of what is stopped meanwhile, whatever it fails by follows from that. @throws WhitelineError, ABORTED among them */
async function opened(parameters: FanOutParameters, context: FanOutContext): Promise<OpenPath> {
  const { signal } = context;
  try {
    return await (isElsewhere(parameters) ? openMachines(parameters, context) : openPath(parameters, signal));
  } catch (error) {
    if (signal.aborted) throw stopped();
    throw error;
  }
}

class FanOutRun {
  private readonly plans: RowPlan[];
  /** It distinguishes ours from strangers. */
  private readonly name = randomBytes(6).toString('hex');
  private index = 0;

  constructor(
    private readonly parameters: FanOutParameters,
    private readonly context: FanOutContext,
    private readonly path: OpenPath,
  ) {
    this.plans = rowPlans(parameters);
  }

  async *rows(): AsyncGenerator<ClosedRow> {
    for (const plan of this.plans) {
      const row = await this.measure(plan);
      if (row) yield row;
      if (this.context.signal.aborted) return;
      if (row?.verdict === 'INVALID' && (await this.lacksMachine())) return;
      this.index += 1;
    }
  }

  /** Of a machine that is gone no later row has anything. */
  private async lacksMachine(): Promise<boolean> {
    const gone = await goneMachine(this.path);
    if (gone === null) return false;
    const text = `The run ends here: ${gone} is out of reach`;
    this.context.noteEvent('problem', text, { machine: gone });
    return true;
  }

  private async measure(plan: RowPlan): Promise<ClosedRow | null> {
    const { context, parameters, path, index } = this;
    const open = () => openMachinesRow(context, { machines: machinesOfRow(path), judgesOthers: true });
    let close = open();
    const order = {
      ...{ parameters, plan, path, index, run: this.name, matchLimitMs },
      beginAheadMs: path.kind === 'machines' ? beginAheadOnMachinesMs : beginAheadMs,
      onBegin: () => {
        close = open();
        this.report(plan, 0);
      },
      onSecond: (elapsedSeconds: number) => this.report(plan, elapsedSeconds),
    };
    this.report(plan, 0);
    try {
      const measured = await measure(context, order);
      if (!measured) return null;
      const { kind, linkMbps } = path;
      const around = {
        way: { kind, linkMbps },
        thresholds: context.thresholds,
      };
      return measuredRow(
        { index, ...(await close(measured.measuredSeconds)) },
        plan,
        measured,
        parameters,
        around,
      );
    } catch (error) {
      const tooMany = tooManyOpenFiles(error);
      if (tooMany) return failedRow({ index, ...(await close()) }, plan, tooMany);
      const { code, message } = toProblem(error);
      if (!endsRow.has(code)) throw error;
      return failedRow({ index, ...(await close()) }, plan, message);
    }
  }

  private report(plan: RowPlan, elapsedSeconds: number): void {
    const { holdSeconds } = this.parameters;
    const rowsLeft = this.plans.length - this.index;
    const phaseElapsedSeconds = Math.min(elapsedSeconds, holdSeconds);
    const eachSeconds = (fanOutDeclaration.expectedSeconds(this.parameters) ?? 0) / this.plans.length;
    this.context.progress({
      phase: labelOf(plan),
      ...{ step: this.index + 1, steps: this.plans.length },
      ...{ phaseSeconds: holdSeconds, phaseElapsedSeconds },
      remainingSeconds: Math.max(0, rowsLeft * eachSeconds - phaseElapsedSeconds),
    });
  }
}
