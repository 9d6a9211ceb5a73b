import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runFiles } from '../engine/sessions/read-run';
import { readSession, sessionFiles } from '../engine/sessions/read-session';
import { exitCodeOfVerdict, exitCodes } from '../protocol/errors';
import { sessionSchema } from '../protocol/session';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { CommandHere, whiteline } from '../testing/command-here';
import { readNamedRun } from '../testing/named-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const out = outputPaths(folder);

function planFile(name: string, ...lines: string[]): string {
  const path = out(`${name}.yaml`);
  writeFileSync(path, `name: ${name}\nexperiments:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  return path;
}

/** One small ramp as an entry of a plan. */
function smallRamp(holdSeconds: number): string[] {
  return [
    '- experiment: stream-load',
    '  parameters:',
    `    { format: 640x360@30, maxStreams: 1, holdSeconds: ${holdSeconds}, warmUpSeconds: 0.5, invalidRetries: 0, name: ${uniqueName()} }`,
  ];
}

test('two experiments run one after the other, each in its own folder, and a report in whose place something stands is reported', async () => {
  const path = planFile('two', ...smallRamp(1.5), '  name: Second run', ...smallRamp(1.5));
  const flags = ['--thresholds', 'flawless', '--report'];
  const command = new WhitelineCommand(['run', path, '--out', out('two'), ...flags]);
  const inTheWay = join(out('two'), '01-second-run', 'report.html');
  await vi.waitFor(() => mkdirSync(inTheWay), { interval: 20, timeout: 60_000 });
  const { exitCode, output, errors } = await command.ended;
  // A report that cannot be written is reported, and its run stays judged.
  expect(errors).toContain(inTheWay);
  expect(exitCode).toBe(exitCodes.environment);
  const session = readSession(out('two'));
  expect(session.runs.map((run) => run.folder)).toEqual(['01-second-run', '02-stream-load']);
  for (const run of session.runs) {
    const {
      experiment,
      state,
      verdict,
      reason,
      thresholdProfile,
      thresholds,
      command: repeat,
    } = readNamedRun(join(out('two'), run.folder));
    expect({ experiment, state, verdict, reason }).toEqual({
      ...{ experiment: 'stream-load', state: 'finished', verdict: run.verdict, reason: run.reason },
    });
    expect([thresholdProfile, thresholds.acceptableLostFrames]).toEqual(['flawless', 0]);
    expect(repeat).toMatch(/^whiteline run stream-load .+--hold 1\.5s .+ --thresholds flawless$/);
    // The summary says of each run what its folder says.
    expect(output).toContain(`  ${run.folder.padEnd(14)}  ${verdict?.padEnd(8)} ${reason}\n`);
  }
  expect(output.match(/^ row /gm)).toHaveLength(2);
  expect(output).toMatch(/^1 of 2: Second run$/m);
  expect(output).toContain(`\n${session.verdict}: ${session.reason}\nSession: ${out('two')}\n`);
  // The other reports had their room.
  for (const place of ['02-stream-load', ''])
    expect(readFileSync(join(out('two'), place, 'report.html'), 'utf8')).toContain(session.runs[1]?.reason);
  expect(readFileSync(join(out('two'), sessionFiles.plan), 'utf8')).toBe(readFileSync(path, 'utf8'));
  await command.leavesNothingBehind();
});

test('Ctrl-C ends the plan: what was measured is kept, and nothing more starts', async () => {
  const path = planFile('stopped', ...smallRamp(1.5), ...smallRamp(30), ...smallRamp(30));
  const command = new WhitelineCommand(['run', path, '--out', out('stopped')]);
  await command.says(/^2 of 3: .+[\s\S]+^Stream load: /m);
  command.signal('SIGINT');
  const { exitCode, output } = await command.ended;
  expect(exitCode).toBe(exitCodes.aborted);
  const { state, runs } = readSession(out('stopped'));
  expect(state).toBe('aborted');
  expect(runs.map((run) => run.state)).toEqual(['finished', 'aborted', 'waiting']);
  expect(existsSync(join(out('stopped'), '03-stream-load'))).toBe(false);
  expect(output).toMatch(/^ {2}03-stream-load {2}not run$/m);
  await command.leavesNothingBehind();
});

test('killed, the plan is read back as far as it came', async () => {
  const path = planFile('killed', ...smallRamp(1.5), ...smallRamp(30));
  const command = new WhitelineCommand(['run', path, '--out', out('killed')]);
  await command.says(/^2 of 2: .+[\s\S]+^Stream load: /m);
  command.signal('SIGKILL');
  await command.ended;
  const { state, runs, verdict } = readSession(out('killed'));
  expect([state, verdict]).toEqual(['interrupted', null]);
  expect(runs.map((run) => run.state)).toEqual(['finished', 'interrupted']);
  await command.leavesNothingBehind();
});

test('a run is printed as a plan, or written as one, that runs the same; with --json each row says whose it is', async () => {
  const name = uniqueName();
  const flags = ['--format', '640x360@30', '--max-streams', '1', '--hold', '1.5s', '--warm-up', '500ms'];
  const run = ['run', 'stream-load', ...flags, '--name', name, '--thresholds', 'flawless', '--print-plan'];
  const path = out('printed.yaml');
  const printed = await whiteline(...run);
  const written = await whiteline(...run, path);
  expect([printed.exitCode, written.exitCode, written.output]).toEqual([exitCodes.pass, exitCodes.pass, '']);
  expect(readFileSync(path, 'utf8')).toBe(printed.output);
  const command = new WhitelineCommand(['run', path, '--json', '--out', out('printed')]);
  const { exitCode, output } = await command.ended;
  const runFolder = join(out('printed'), '01-stream-load');
  const { parameters, thresholdProfile } = readNamedRun(runFolder);
  expect(parameters).toMatchObject({
    format: '640x360@30',
    maxStreams: 1,
    holdSeconds: 1.5,
    warmUpSeconds: 0.5,
    name,
  });
  expect(thresholdProfile).toBe('flawless');
  const objects = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(objects.pop()).toMatchObject({ type: 'end', exitCode, folder: out('printed') });
  // The session comes before it.
  const { session } = objects.pop() ?? {};
  const recorded = readSession(out('printed'));
  expect(sessionSchema.parse(session)).toEqual(recorded);
  expect(objects.length).toBeGreaterThan(0);
  const rows = readFileSync(join(runFolder, runFiles.rows), 'utf8').trim().split('\n');
  expect(objects).toEqual(rows.map((line) => ({ run: '01-stream-load', ...JSON.parse(line) })));
  expect(exitCode).toBe(exitCodeOfVerdict(recorded.verdict));
  await command.leavesNothingBehind();
});

describe('whiteline list', () => {
  test('names every experiment, and what is missing for it here', async () => {
    const all = await whiteline('list');
    expect(all.exitCode).toBe(exitCodes.pass);
    expect(all.output).toMatch(/^stream-load +ready +Stream load$/m);
    const without = await new CommandHere(['list'], { PATH: folder }).ended;
    expect(without.output).toMatch(/^stream-load +ready/m);
    expect(without.output).toMatch(/^storage +not ready +Storage\n +fio is not installed.+\. Install it/m);
    expect(without.exitCode).toBe(exitCodes.pass);
  });

  test('as JSON it has what a form needs', async () => {
    const { output } = await whiteline('list', '--json');
    const [first, ...others] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ndi = { name: 'NDI runtime', missing: null };
    expect(first).toMatchObject({ id: 'stream-load', usesStreams: true, requirements: [ndi] });
    expect(first.parameters.properties.holdSeconds).toMatchObject({ type: 'number', minimum: 1.5 });
    expect(first.columns[0]).toEqual({
      metric: 'streams',
      role: 'step',
      heading: 'Streams',
      unit: '',
      digits: 0,
    });
    expect(others.length).toBeGreaterThan(0);
    for (const { parameters, columns } of others) {
      expect(Object.keys(parameters.properties).length).toBeGreaterThan(0);
      expect(columns.length).toBeGreaterThan(0);
    }
  });
});
