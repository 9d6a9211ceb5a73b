import type { Command } from 'commander';
import { experimentOf } from '../engine/experiment/experiment-of';
import { planText } from '../engine/plans/plan-text';
import { writePlan } from '../engine/plans/write-plan';
import { receives } from '../engine/runs/experiment-run';
import { readParameters } from '../engine/runs/parameters';
import { prepareRun, profileOf } from '../engine/runs/prepared-run';
import { checkNewFile } from '../engine/sessions/new-file';
import type { ExperimentDeclaration } from '../experiments/declaration';
import { declarations } from '../experiments/declarations';
import { badInput, exitCodeOf, exitCodeOfVerdict, exitCodes } from '../protocol/errors';
import { contentHosts } from './content-host';
import { finishRun, type MadeRun } from './finish';
import { addParameterFlags, type Flags, parametersOf } from './flags';
import { newFolder } from './folders';
import { existingOf, forceOption } from './force';
import { addGateFlags } from './gate-flags';
import { abortOnInterrupt } from './interrupt';
import { metricsFlag, OwnMetrics } from './metrics-flag';
import { checkGates, nothingToLog, perform, type RunFlags, reportProblems, sayFor } from './perform';
import { addReportFlags, checkHeader } from './report-flags';
import { runPlanCommand } from './run-plan';
import { destinationOf, sessionFlag } from './session-flag';
import { runsFolder, setThresholds, thresholdsFlag } from './settings';
import { linesOf, print, printJson } from './terminal';

type ExperimentFlags = RunFlags & Flags & { printPlan?: string | true };

/** `whiteline run`: a plan, or one command for each experiment. */
export function addRunCommand(program: Command): void {
  const run = program
    .command('run <plan>')
    .description('Runs a plan or an experiment: prints its rows, and records everything in a folder')
    // What follows an experiment is its own.
    .enablePositionalOptions()
    // An experiment that does not exist is reported before its flags are.
    .allowUnknownOption()
    .allowExcessArguments();
  addRunFlags(run, '<time>-<name of the plan>').action(finishRun(planOrUnknown));
  for (const declaration of declarations) {
    const command = run.command(declaration.id).description(declaration.purpose).allowExcessArguments(false);
    addParameterFlags(command, declaration);
    addRunFlags(command, `<time>-${declaration.id}`)
      .option('--print-plan [file]', 'prints the run as a plan, or writes it to this file, and runs nothing')
      .action(
        finishRun((made, flags: ExperimentFlags, { parent }: Command) =>
          // A flag between "run" and the experiment is meant as well.
          runCommand(made, declaration, {
            thresholds: setThresholds(),
            ...parent?.opts<RunFlags>(),
            ...flags,
          }),
        ),
      );
  }
}

function addRunFlags(command: Command, folder: string): Command {
  return addGateFlags(addReportFlags(command))
    .option('--out <folder>', `folder to record in; default: ${folder} in ${runsFolder()}`)
    .option(...sessionFlag)
    .option(...thresholdsFlag())
    .option('--report [file]', 'writes the report as one HTML file; default: report.html in the run’s folder')
    .option(...forceOption)
    .option(
      '--json',
      'one JSON object per row on standard output, and a last one with verdict, exitCode and folder',
    )
    .option(...metricsFlag)
    .option(
      '--capture-logs',
      'each receiver writes its own log of captured numbers into the folder, so that its counts can be checked',
    );
}

async function planOrUnknown(
  made: MadeRun,
  plan: string,
  flags: RunFlags,
  { args }: Command,
): Promise<number> {
  // A word alone is the name of an experiment that does not exist.
  if (/^[\w-]+$/.test(plan)) experimentOf(plan);
  const [, more] = args;
  if (more !== undefined)
    throw badInput(
      'run',
      'nothing after the plan but flags for plans',
      more,
      'Write the parameters into the plan',
    );
  if (flags.session !== undefined)
    throw badInput(
      'session',
      'no session with a plan',
      flags.session,
      'A plan makes a session of its own: use --out instead',
    );
  if (typeof flags.report === 'string')
    throw badInput('report', 'no file with a plan', flags.report, 'Each run gets a report in its own folder');
  return runPlanCommand(made, plan, flags);
}

async function runCommand(
  made: MadeRun,
  declaration: ExperimentDeclaration,
  flags: ExperimentFlags,
): Promise<number> {
  const typed = parametersOf(declaration, flags);
  const profile = profileOf(flags.thresholds);
  if (flags.printPlan) return printPlan(declaration, typed, flags);
  checkHeader(flags, flags.report !== undefined);
  if (typeof flags.report === 'string') checkNewFile(flags.report, existingOf(flags.force));
  const destination = destinationOf(flags, declaration.id);
  const prepared = await prepareRun(declaration.id, typed, contentHosts.native);
  if (flags.captureLogs && !receives(prepared)) throw nothingToLog(declaration.id);
  checkGates(flags, receives(prepared), declaration.id);
  const say = sayFor(flags);
  const abort = abortOnInterrupt(() => say('Stopping: the open row is closed, what was measured is kept.'));
  const folder = destination.folder ?? newFolder(declaration.id);
  made.folder = folder;
  const metrics = await OwnMetrics.open(flags.metrics, say);
  const performed = await perform({
    prepared,
    profile,
    flags,
    ...{ folder, metrics, join: destination.join },
    signal: abort.signal,
    onRow: (row) => {
      if (flags.json) printJson(row);
    },
  }).finally(() => metrics.close());
  made.end = performed.outcome;
  const problem = reportProblems(performed);
  destination.close(sayFor(flags));
  return problem ? exitCodeOf(problem) : exitCodeOfVerdict(performed.outcome.verdict);
}

/** All parameters stand in it: what is a default today may be another one next year. */
function printPlan(
  declaration: ExperimentDeclaration,
  typed: Flags,
  { thresholds, printPlan: to, force }: ExperimentFlags,
): number {
  const parameters = readParameters(declaration, typed);
  const { id, title } = declaration;
  const plan = { name: title, thresholds, experiments: [{ experiment: id, parameters, repeat: 1 }] };
  if (typeof to === 'string') writePlan(plan, to, existingOf(force));
  else print(...linesOf(planText(plan)));
  return exitCodes.pass;
}
