import type { NativeHost } from '../../engine/capabilities/native-host';
import type { ContextWith, Experiment, RunVerdict } from '../../engine/experiment/experiment';
import { machineCheck } from '../../engine/experiment/machine-check';
import { withFigures } from '../../engine/experiment/row-values';
import { tableRow } from '../../engine/experiment/table-row';
import { standstillGuards } from '../../engine/load/standstills';
import { askInterface } from '../../engine/machine/interfaces';
import { worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { inspectMovie } from '../../engine/streams/sources/movie';
import type { Fact } from '../../facts/fact';
import { brokenGuards, type Guard } from '../../facts/precedence';
import type { ClosedRow } from '../../facts/row';
import { scalarOf } from '../../facts/row-figures';
import type { Verdict } from '../../facts/verdict';
import { throwAll, wrongBy } from '../../protocol/all-wrong';
import { toProblem } from '../../protocol/errors';
import { type Check, type CheckContext, NotFoundOut } from './check';
import { checks } from './checks/all';
import { chooseInterface, otherAddressOf } from './chosen-interface';
import { type PreflightParameters, preflightDeclaration, preflightParameters } from './declaration';
import { foundOf, foundOnWindows, stoppedMeanwhile } from './found-reasons';
import { type PreflightCheckId, preflightLabels } from './labels';
import { type Line, unknown } from './line';
import { checkNotOk } from './reasons';

/** @param checks in the order of the table */
export const preflightOf = (
  checks: readonly Check[],
): Experiment<typeof preflightParameters, ClosedRow, 'native' | 'tools'> => ({
  declaration: preflightDeclaration,
  needs: () => ['native', 'tools'],
  // A check without its tool is unknown; the other checks are still useful.
  requires: () => [],
  machineChecks: [
    machineCheck(preflightParameters.pick({ host: true }), otherAddressOf),
    machineCheck(preflightParameters.pick({ interface: true }), (asked) => chooseInterface(asked, null)),
    machineCheck(preflightParameters.pick({ movie: true }), requireMovie),
  ],
  async check(parameters, host) {
    let address: string | null = null;
    let interfaceName = '';
    const way = async (): Promise<void> => {
      address = await otherAddressOf(parameters);
      interfaceName = await chooseInterface(parameters, address);
    };
    throwAll(await wrongBy(way, () => requireMovie(parameters, host)));
    return {
      subject: `${interfaceName}, ${otherHostText(parameters, address)}`,
      environment: { topology: 'this machine and its network', interface: interfaceName },
    };
  },
  run: (parameters, context) => run(checks, parameters, context),
  bestVerdict: (row) => {
    const state = scalarOf(row, 'preflight.state');
    return Object.entries(verdicts).find(([known]) => known === state)?.[1] ?? 'INVALID';
  },
  verdict,
});

export const preflight = preflightOf(checks);

async function requireMovie({ movie }: Pick<PreflightParameters, 'movie'>, host: NativeHost): Promise<void> {
  if (movie !== undefined) await inspectMovie(movie, host, 'movie');
}

function otherHostText({ host }: PreflightParameters, address: string | null): string {
  if (host === undefined) return 'no other host';
  return address === null ? `${host} is this machine` : `towards ${host}`;
}

async function* run(
  checks: readonly Check[],
  parameters: PreflightParameters,
  context: ContextWith<'native' | 'tools'>,
): AsyncGenerator<ClosedRow> {
  const { native: host, clock, signal } = context;
  const { run: runTool } = context.tools;
  const hostAddress = await otherAddressOf(parameters);
  const interfaceName = await chooseInterface(parameters, hostAddress);
  const driver = await askInterface(host, interfaceName).catch((error: Error) => error.message);
  const given: CheckContext = {
    ...{ parameters, interfaceName, driver, hostAddress },
    ...{ host, runTool, clock, signal },
  };
  for (const [index, check] of checks.entries()) {
    if (signal.aborted) return;
    context.progress({
      phase: 'measuring',
      step: index + 1,
      steps: checks.length,
      phaseSeconds: 0,
      phaseElapsedSeconds: 0,
      remainingSeconds: 0,
    });
    const from = context.isoNow();
    const startNs = clock.monotonicNs();
    const checked = await check.run(given).catch(notKnown);
    // A check that was cut short proves nothing.
    if (signal.aborted) return;
    const endNs = clock.monotonicNs();
    const meanwhile = context.standstills(startNs, endNs).filter(({ toNs }) => toNs > startNs);
    const stops = stopsIn(standstillGuards(meanwhile, context.thresholds));
    // A stopped process receives no answers.
    const line = checked.state === 'ok' || stops.length === 0 ? checked : unknown(stoppedMeanwhile(stops));
    const to = context.isoNow();
    const time = { from, to, measuredSeconds: (endNs - startNs) / 1e9 };
    const row = tableRow(time, index, preflightLabels[check.id], { check: check.id, ...line.details });
    yield rowOf(check.id, line, row, stops);
  }
}

function notKnown(error: unknown): Line {
  return unknown(
    error instanceof NotFoundOut ? error.found : foundOf('not-known', { why: toProblem(error).message }),
  );
}

/** A machine that is busy is under test; a process of ours that was stopped is not. */
function stopsIn(guards: readonly Guard[]): Fact[] {
  return brokenGuards(guards.filter((guard) => guard.state !== 'fine' && guard.about === undefined));
}

const verdicts: Record<Line['state'], Verdict> = {
  ok: 'PASS',
  warning: 'WARN',
  problem: 'FAIL',
  // Nothing is known to be wrong, and nothing to be right.
  unknown: 'WARN',
};

/** @param stops which processes of ours were stopped meanwhile */
function rowOf(
  check: PreflightCheckId,
  { state, found }: Line,
  row: Omit<ClosedRow, 'verdict' | 'reason'>,
  stops: readonly Fact[],
): ClosedRow {
  const notOk = state === 'ok' ? [] : [checkNotOk(check, state, found)];
  return {
    ...withFigures(row, preflightDeclaration, { 'preflight.state': [state] }),
    verdict: verdicts[state],
    reason: stops.length > 0 ? [...stops] : notOk,
    found: process.platform === 'win32' ? foundOnWindows(found) : found,
  };
}

/** What is unknown does not fail a machine, and is no pass. */
export function verdict(lines: readonly ClosedRow[]): RunVerdict {
  const labelsOf = (state: Line['state']): string[] =>
    lines.filter((line) => scalarOf(line, 'preflight.state') === state).map(({ label }) => label);
  const parts = [
    counted('problem', labelsOf('problem')),
    counted('warning', labelsOf('warning')),
    counted('unknown', labelsOf('unknown')),
  ].filter((part) => part !== '');
  return {
    verdict: worstVerdictOf(lines),
    reason:
      parts.length === 0
        ? `all ${lines.length} checks are ok`
        : `${parts.join('; ')}; ${lines.length} checks`,
  };
}

function counted(state: string, labels: string[]): string {
  if (labels.length === 0) return '';
  const plural = state === 'unknown' || labels.length === 1 ? state : `${state}s`;
  return `${labels.length} ${plural} (${labels.join(', ')})`;
}
