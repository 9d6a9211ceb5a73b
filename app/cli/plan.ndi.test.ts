import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runFiles } from '../engine/sessions/read-run';
import { readSession, sessionFiles } from '../engine/sessions/read-session';
import { exitCodeOfVerdict, exitCodes } from '../protocol/errors';
import { sessionSchema } from '../protocol/session';
import { uniqueName, WhitelineCommand, whiteline } from '../testing/command';
import { readFlatRun } from '../testing/flat-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

vi.setConfig({ testTimeout: 60_000 });

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

test('two experiments run one after the other, each in its own folder, and the worst verdict is the exit code', async () => {
  const path = planFile('two', ...smallRamp(1), '  name: Second run', ...smallRamp(1));
  const command = new WhitelineCommand(['run', path, '--out', out('two'), '--thresholds', 'flawless']);
  const { exitCode, output, errors } = await command.ended;
  // How far a run is may be there.
  expect(errors).not.toContain('whiteline: ');
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
    } = readFlatRun(join(out('two'), run.folder));
    expect({ experiment, state, verdict, reason }).toEqual({
      ...{ experiment: 'stream-load', state: 'finished', verdict: run.verdict, reason: run.reason },
    });
    expect([thresholdProfile, thresholds.acceptableLostFrames]).toEqual(['flawless', 0]);
    expect(repeat).toMatch(/^whiteline run stream-load .+--hold 1s .+ --thresholds flawless$/);
    // The summary says of each run what its folder says.
    expect(output).toContain(`  ${run.folder.padEnd(14)}  ${verdict?.padEnd(8)} ${reason}\n`);
  }
  expect(output.match(/^ row /gm)).toHaveLength(2);
  expect(output).toMatch(/^1 of 2: Second run$/m);
  expect(output).toContain(`\n${session.verdict}: ${session.reason}\nSession: ${out('two')}\n`);
  expect(exitCode).toBe(exitCodeOfVerdict(session.verdict));
  expect(readFileSync(join(out('two'), sessionFiles.plan), 'utf8')).toBe(readFileSync(path, 'utf8'));
  await command.leavesNothingBehind();
});

test('with --json each row says whose it is, and the session comes last', async () => {
  const command = new WhitelineCommand([
    'run',
    planFile('json', ...smallRamp(1)),
    '--json',
    '--out',
    out('json'),
  ]);
  const { output } = await command.ended;
  const objects = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const { session } = objects.pop() ?? {};
  expect(sessionSchema.parse(session)).toEqual(readSession(out('json')));
  expect(objects.length).toBeGreaterThan(0);
  const rows = readFileSync(join(out('json'), '01-stream-load', runFiles.rows), 'utf8')
    .trim()
    .split('\n');
  expect(objects).toEqual(rows.map((line) => ({ run: '01-stream-load', ...JSON.parse(line) })));
  await command.leavesNothingBehind();
});

test('a report that cannot be written is reported, and its run stays judged', async () => {
  const command = new WhitelineCommand([
    ...['run', planFile('reports', ...smallRamp(1)), '--out', out('reports'), '--report'],
  ]);
  const inTheWay = join(out('reports'), '01-stream-load', 'report.html');
  await vi.waitFor(() => mkdirSync(inTheWay), { interval: 20 });
  const { exitCode, errors } = await command.ended;
  expect(errors).toContain(inTheWay);
  expect(exitCode).toBe(exitCodes.environment);
  const { state, runs, verdict } = readSession(out('reports'));
  expect([state, runs.map((run) => run.state)]).toEqual(['finished', ['finished']]);
  expect(verdict).toBe(readFlatRun(join(out('reports'), '01-stream-load')).verdict);
  expect(verdict).not.toBeNull();
  // The report of the whole plan had its room.
  expect(readFileSync(join(out('reports'), 'report.html'), 'utf8')).toContain(runs[0]?.reason);
  await command.leavesNothingBehind();
});

test('Ctrl-C ends the plan: what was measured is kept, and nothing more starts', async () => {
  const path = planFile('stopped', ...smallRamp(1), ...smallRamp(30), ...smallRamp(30));
  const command = new WhitelineCommand(['run', path, '--out', out('stopped')]);
  await command.says(/^2 of 3: .+[\s\S]+^Stream load: /m, 30);
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
  const path = planFile('killed', ...smallRamp(1), ...smallRamp(30));
  const command = new WhitelineCommand(['run', path, '--out', out('killed')]);
  await command.says(/^2 of 2: .+[\s\S]+^Stream load: /m, 30);
  command.signal('SIGKILL');
  await command.ended;
  const { state, runs, verdict } = readSession(out('killed'));
  expect([state, verdict]).toEqual(['interrupted', null]);
  expect(runs.map((run) => run.state)).toEqual(['finished', 'interrupted']);
  await command.leavesNothingBehind();
});

describe('refused before anything runs', () => {
  const small = smallRamp(1);
  const inSecond = (line: string): string[] => [
    ...small,
    '- experiment: stream-load',
    '  parameters:',
    `    ${line}`,
  ];

  test.concurrent.each<[string, string[], RegExp]>([
    [
      'bad YAML',
      [...small, '- experiment: ['],
      /^whiteline: bad-yaml\.yaml:\d+:\d+: Expected YAML for the plan/,
    ],
    [
      'an unknown experiment',
      [...small, '- experiment: radar'],
      /^whiteline: .+\.yaml:6:5: Expected one of stream-load, .+ for experiment but received radar/,
    ],
    [
      'an unknown parameter',
      inSecond('holdSecond: 1'),
      /^whiteline: .+\.yaml:8:7: Expected a known parameter for parameters but received holdSecond\. Did you mean holdSeconds\?/,
    ],
    [
      'a wrong type',
      inSecond('maxStreams: many'),
      /^whiteline: .+\.yaml:8:7: Expected a whole number from 1 to 64 for maxStreams but received many\. maxStreams: /,
    ],
    [
      'a movie that is missing',
      inSecond('source: none.mov'),
      /^whiteline: .+\.yaml:8:7: .*none\.mov does not exist/,
    ],
  ])('%s', async (what, lines, sentence) => {
    const name = what.toLowerCase().replace(/[^a-z]+/g, '-');
    const { exitCode, output, errors } = await whiteline('run', planFile(name, ...lines), '--out', out(name));
    expect(errors).toMatch(sentence);
    expect(errors.trim().split('\n')).toHaveLength(1);
    expect(output).toBe('');
    expect(exitCode).toBe(exitCodes.badInput);
    expect(existsSync(out(name))).toBe(false);
  });

  test.concurrent.each<[string[], RegExp]>([
    [
      ['absent.yaml'],
      /The plan absent\.yaml cannot be read \(ENOENT\)\. Give the path of a plan, or an experiment/,
    ],
    [
      ['radar', '--hold', '3s'],
      /Expected one of stream-load, .+ for experiment but received radar\. See whiteline list/,
    ],
    [
      ['a.yaml', 'b.yaml'],
      /Expected nothing behind the plan but flags of its own for run but received b\.yaml/,
    ],
    [['a.yaml', '--hold', '5s'], /nothing behind the plan .+ received --hold\. Parameters stand in the plan/],
    [
      ['stream-load', '--thresholds', 'mild'],
      /Expected one of study, flawless.+ for --thresholds but received mild/,
    ],
    [['a.yaml', '--report', 'r.html'], /Expected no file with a plan for --report but received r\.html/],
  ])('whiteline run %j', async (words, sentence) => {
    const { exitCode, errors } = await whiteline('run', ...words);
    expect(errors).toMatch(sentence);
    expect(exitCode).toBe(exitCodes.badInput);
  });

  test('an experiment whose tool is missing: exit code 3, its line and how to get it', async () => {
    const path = planFile('tool', ...small, '- experiment: storage');
    const command = new WhitelineCommand(['run', path, '--out', out('tool')], { PATH: folder });
    const { exitCode, errors, output } = await command.ended;
    expect(errors).toMatch(/^whiteline: tool\.yaml:6:5: fio is not installed.+\. Install it/);
    expect(exitCode).toBe(exitCodes.environment);
    expect(output).toBe('');
    expect(existsSync(out('tool'))).toBe(false);
  });

  test('a folder that holds a session', async () => {
    writeFileSync(out(sessionFiles.lines), 'mine\n');
    const { exitCode, errors } = await whiteline('run', planFile('taken', ...small), '--out', folder);
    expect(errors).toMatch(/Expected a folder without a session in it for --out but received/);
    expect(exitCode).toBe(exitCodes.badInput);
    expect(readdirSync(folder)).not.toContain('01-stream-load');
  });
});

test('a run is printed as a plan, or written as one, that runs the same', async () => {
  const name = uniqueName();
  const flags = ['--format', '640x360@30', '--max-streams', '1', '--hold', '1s', '--warm-up', '500ms'];
  const run = ['run', 'stream-load', ...flags, '--name', name, '--thresholds', 'flawless', '--print-plan'];
  const path = out('printed.yaml');
  const printed = await whiteline(...run);
  const written = await whiteline(...run, path);
  expect([printed.exitCode, written.exitCode, written.output]).toEqual([exitCodes.pass, exitCodes.pass, '']);
  expect(readFileSync(path, 'utf8')).toBe(printed.output);
  const command = new WhitelineCommand(['run', path, '--out', out('printed')]);
  await command.ended;
  const { parameters, thresholdProfile } = readFlatRun(join(out('printed'), '01-stream-load'));
  expect(parameters).toMatchObject({
    format: '640x360@30',
    maxStreams: 1,
    holdSeconds: 1,
    warmUpSeconds: 0.5,
    name,
  });
  expect(thresholdProfile).toBe('flawless');
  await command.leavesNothingBehind();
});

describe('whiteline list', () => {
  test('names every experiment, and what is missing for it here', async () => {
    const all = await whiteline('list');
    expect(all.exitCode).toBe(exitCodes.pass);
    expect(all.output).toMatch(/^stream-load +ready +Stream load$/m);
    const without = await new WhitelineCommand(['list'], { PATH: folder }).ended;
    expect(without.output).toMatch(/^stream-load +ready/m);
    expect(without.output).toMatch(/^storage +not ready +Storage\n +fio is not installed.+\. Install it/m);
    expect(without.exitCode).toBe(exitCodes.pass);
  });

  test('reports where NDI is missing, and so does a plan', async () => {
    const nowhere = { WHITELINE_NDI_PATH: out('no-libndi.so') };
    const { output } = await new WhitelineCommand(['list'], nowhere).ended;
    expect(output).toMatch(
      /^stream-load +not ready +Stream load\n +No NDI runtime was found\. Tried:\n +.+no-libndi\.so/m,
    );
    expect(output).toMatch(/^storage +ready/m);
    const path = planFile('without', ...smallRamp(1));
    const { exitCode, errors } = await new WhitelineCommand(['run', path], nowhere).ended;
    expect(errors).toMatch(
      /^whiteline: without\.yaml:3:5: No NDI runtime was found\. Tried:\n.+no-libndi\.so/,
    );
    expect(exitCode).toBe(exitCodes.environment);
  });

  test('as JSON it has what a form needs', async () => {
    const { output } = await whiteline('list', '--json');
    const [first, ...others] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ndi = { name: 'NDI runtime', missing: null };
    expect(first).toMatchObject({ id: 'stream-load', usesStreams: true, requirements: [ndi] });
    expect(first.parameters.properties.holdSeconds).toMatchObject({ type: 'number', minimum: 0.5 });
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
