import { randomBytes } from 'node:crypto';
import type { ContextWith, Experiment, Requirement } from '../../engine/experiment/experiment';
import { openTableRow } from '../../engine/experiment/table-row';
import { oneMachine } from '../../engine/sessions/environment';
import { tooManyOpenFiles } from '../../engine/tools/open-files';
import { mayMakeNetworks } from '../../engine/tools/rights';
import { toolRequirement } from '../../engine/tools/tool-problem';
import type { ClosedRow } from '../../facts/row';
import { toProblem } from '../../protocol/errors';
import { checkFanOut, networkTools } from './checks';
import { type FanOutParameters, fanOutDeclaration, type fanOutParameters } from './declaration';
import { fanOutElsewhere } from './fan-out-elsewhere';
import { findFanOut, howToGetFanOut, inspectFanOut, mayNotCount } from './fan-out-program';
import { failedRow, measuredRow } from './fan-out-rows';
import { beginAheadMs, matchLimitMs, measure } from './measure';
import { type OpenPath, openPath, pathKindOf, pathWords } from './path';
import { neededRoom, whoText } from './room';
import { labelOf, type RowPlan, rowPlans } from './row-plan';
import { fanOutVerdict } from './verdict';

export const fanOut: Experiment<typeof fanOutParameters, ClosedRow, 'helper' | 'machine'> = {
  declaration: fanOutDeclaration,
  needs: () => ['helper', 'machine'],
  requires(parameters) {
    if (process.platform !== 'linux') return [linuxOnly];
    if (pathKindOf(parameters) === 'loopback') return [fanOutRequirement, ...rawFrames()];
    const tools = Object.entries(networkTools).map(([tool, packageName]) =>
      toolRequirement(tool, `Install it (Debian: apt-get install ${packageName})`),
    );
    return [fanOutRequirement, ownNetworks, ...tools, ...rawFrames()];
  },
  async check(parameters) {
    await checkFanOut(parameters);
    const { version } = await inspectFanOut();
    const { link, domain } = parameters;
    const kind = pathKindOf(parameters);
    const needed = neededRoom(parameters);
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

/** A program that is missing has no right either, and says nothing of it. */
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

type FanOutContext = ContextWith<'helper' | 'machine'>;

async function* run(parameters: FanOutParameters, context: FanOutContext): AsyncGenerator<ClosedRow> {
  const path = await openPath(parameters, context.signal);
  try {
    yield* new FanOutRun(parameters, context, path).rows();
  } finally {
    await path.close();
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
      this.index += 1;
    }
  }

  private async measure(plan: RowPlan): Promise<ClosedRow | null> {
    const { context, parameters, path, index } = this;
    let close = openTableRow(context, { judgesOthers: true });
    const order = {
      ...{ parameters, plan, path, index, run: this.name, matchLimitMs, beginAheadMs },
      onBegin: () => {
        close = openTableRow(context, { judgesOthers: true });
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
        cores: context.machine.cores(),
        thresholds: context.thresholds,
      };
      return measuredRow({ index, ...close(measured.measuredSeconds) }, plan, measured, parameters, around);
    } catch (error) {
      const tooMany = tooManyOpenFiles(error);
      if (tooMany) return failedRow({ index, ...close() }, plan, tooMany);
      const { code, message } = toProblem(error);
      if (code !== 'TOOL_FAILED' && code !== 'HOST_DIED' && code !== 'HOST_SILENT') throw error;
      return failedRow({ index, ...close() }, plan, message);
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
