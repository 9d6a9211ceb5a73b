import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { experimentOf } from '../engine/experiments/registry';
import { commandLine, flagOf, injectedFaults, parameterTypes, readParameters } from '../engine/parameters';
import { runExperiment } from '../engine/runner';
import { writeProblem } from '../engine/sessions/append-file';
import { readClockSync } from '../engine/sessions/clock-sync';
import { appVersion, captureEnvironment } from '../engine/sessions/environment';
import { exportRun } from '../engine/sessions/export';
import { Recorder } from '../engine/sessions/recorder';
import { chooseSource } from '../engine/streams/sources/source-choice';
import { Workbench } from '../engine/workbench';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodeOf, exitCodes, problemText, toProblem, WhitelineError } from '../protocol/errors';
import { formatText } from '../protocol/format';
import { streamLoadParameters } from '../protocol/stream-load';
import { defaultThresholds } from '../protocol/thresholds';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { withContentHost } from './hosts';
import { abortOnInterrupt } from './interrupt';
import { tableHead, tableLine } from './table';

interface RunFlags extends Record<string, unknown> {
  out?: string;
  report?: string | true;
  json?: boolean;
  captureLogs?: boolean;
}

const flagKeys = ['out', 'report', 'json', 'captureLogs'];

/** The experiment's parameters as flags: `holdSeconds` is `--hold 5s`. */
export function addRunFlags(command: Command): Command {
  command.description(experimentOf('stream-load').purpose);
  for (const [key, schema] of Object.entries(streamLoadParameters.shape)) {
    const value = parameterTypes[key] === 'boolean' ? '' : ' <value>';
    const flag = flagOf(key);
    const put = flag.startsWith('--no-') ? 'put off: ' : '';
    command.option(`${flag}${value}`, `${put}${schema.description ?? ''}`);
  }
  return command
    .option('--out <folder>', 'folder of the run; default: runs/<time>-stream-load')
    .option('--report [file]', 'writes the report as one HTML file; default: report.html in the run’s folder')
    .option('--json', 'one JSON object per row on standard output')
    .option(
      '--capture-logs',
      'each receiver writes its own log of captured numbers into the folder, for counting again',
    );
}

export async function runCommand(flags: RunFlags): Promise<number> {
  const parameters = readParameters(parametersOf(flags));
  // A host for movies alone: what cannot be played is told before NDI starts.
  const { format, environment } = await chooseSource(parameters, {
    request: (...request) => withContentHost((host) => host.request(...request)),
  });
  injectedFaults(parameters, format.rate);
  const experiment = experimentOf('stream-load');
  const folder =
    flags.out ?? join('runs', `${new Date().toISOString().replace(/[:.]/g, '-')}-${experiment.id}`);
  const say = (text: string): void => {
    (flags.json ? process.stderr : process.stdout).write(`${text}\n`);
  };

  let recorder: Recorder | null = null;
  let outputProblem: WhitelineError | null = null;
  const abort = abortOnInterrupt(() => say('Stopping: the open row is closed, what was measured is kept.'));
  const bench = new Workbench({
    application: nodeApplication(),
    appFolder,
    ndiPath: ndiPath(),
    captureLogFolder: flags.captureLogs ? folder : undefined,
    noteEvent: (...event) => recorder?.event(...event),
    onSample: (sample) => recorder?.sample(sample),
    onChange: () => undefined,
  });
  try {
    const ready = await bench.start();
    if (ready.ndiProblem) throw new WhitelineError(ready.ndiProblem);
    if (flags.captureLogs) makeFolder(folder);
    recorder = new Recorder({
      folder,
      start: {
        experiment: experiment.id,
        title: experiment.title,
        parameters,
        command: commandLine(experiment.id, parameters),
        thresholds: { ...defaultThresholds },
        environment: captureEnvironment(await readClockSync(), {
          whiteline: appVersion(appFolder),
          ndi: ready.ndi,
          source: environment,
        }),
      },
      onProblem: (error) => {
        outputProblem = error;
        abort.abort();
      },
    });
    say(
      `${experiment.title}: ${parameters.source} ${formatText(format)}, up to ${parameters.maxStreams} streams over loopback`,
    );
    say(ready.ndi?.version ?? '');
    say(tableHead());
    bench.restartViews(parameters.warmUpSeconds);
    const outcome = await runExperiment({
      experiment,
      parameters,
      recorder,
      set: bench.set,
      thresholds: defaultThresholds,
      wallOffsetUs: bench.wallOffsetUs,
      signal: abort.signal,
      onRow: (row) => {
        if (flags.json) process.stdout.write(`${JSON.stringify(row)}\n`);
        say(tableLine(row));
      },
      onProgress: () => undefined,
    });
    say(`${outcome.verdict ?? 'no verdict'}: ${outcome.reason}`);
    say(`Run: ${folder}`);
    if (flags.report && !outputProblem) {
      const file = typeof flags.report === 'string' ? flags.report : join(folder, 'report.html');
      exportRun(folder, 'html', file, nodeApplication().reportTemplate, false);
      say(`Report: ${file}`);
    }
    const problem = outputProblem ? toProblem(outputProblem) : outcome.problem;
    if (problem && problem.code !== 'ABORTED') process.stderr.write(`whiteline: ${problemText(problem)}\n`);
    if (problem) return exitCodeOf(problem);
    return { PASS: exitCodes.pass, WARN: exitCodes.pass, FAIL: exitCodes.fail, INVALID: exitCodes.invalid }[
      outcome.verdict ?? 'FAIL'
    ];
  } finally {
    bench.close();
  }
}

/** The flags as the schema's parameters: durations in seconds, numbers as numbers. */
function parametersOf(flags: RunFlags): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const key of Object.keys(streamLoadParameters.shape)) {
    const seconds = key.endsWith('Seconds');
    const flag = key.replace(/Seconds$/, '');
    const value = flags[flag];
    if (value === undefined) continue;
    if (typeof value !== 'string') parameters[key] = value;
    else if (seconds) parameters[key] = parseDuration(value, flag);
    else parameters[key] = parameterTypes[key] === 'integer' ? wholeNumber(value, flag) : value;
  }
  const unknown = Object.keys(flags).find(
    (flag) => !flagKeys.includes(flag) && !(flag in parameters) && !(`${flag}Seconds` in parameters),
  );
  if (unknown) throw badInput(unknown, 'a known flag', flags[unknown]);
  return parameters;
}

export function wholeNumber(text: string, field: string): number {
  if (!/^\d{1,9}$/.test(text)) throw badInput(field, 'a whole number', text);
  return Number(text);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw writeProblem(error, folder);
  }
}
