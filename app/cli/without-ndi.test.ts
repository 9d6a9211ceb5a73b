import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../engine/sessions/read-run';
import { exitCodes } from '../protocol/errors';
import { CommandHere } from '../testing/command-here';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const noNdi = { WHITELINE_NDI_PATH: '/nonexistent' };

test('without libndi each command that needs it says where to get it', async () => {
  const out = join(folder, 'run');
  const commands = [
    ['run', 'stream-load', '--out', out],
    ['sources'],
    ['send'],
    ['selftest'],
    ['watch', 'x'],
  ];
  for (const commandArguments of commands) {
    const { exitCode, errors } = await new CommandHere(commandArguments, noNdi).ended;
    expect(errors, commandArguments[0]).toMatch(
      /\/nonexistent.+Install the NDI runtime from https:\/\/ndi\.video/s,
    );
    expect(exitCode, commandArguments[0]).toBe(exitCodes.environment);
  }
  expect(() => readRun(out)).toThrow(/holds no run/);
});

test('without libndi the doctor says so, and still looks at the rest', async () => {
  const { exitCode, output } = await new CommandHere(['doctor', '--json'], noNdi).ended;
  const findings = new Map(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; state: string; advice?: string })
      .map((finding) => [finding.name, finding]),
  );
  expect(findings.get('NDI runtime')).toMatchObject({
    state: 'problem',
    advice: expect.stringMatching(/https:\/\/ndi\.video/),
  });
  for (const name of ['ffmpeg', 'ffprobe', 'CPU and network load'])
    expect(findings.get(name)?.state, name).toBe('ok');
  for (const name of ['discovery (mDNS)', 'GPU load', 'wall clock'])
    expect(findings.has(name), name).toBe(true);
  expect(exitCode).toBe(exitCodes.environment);
});

test('without libndi the list of experiments says so, and so does a plan', async () => {
  const nowhere = { WHITELINE_NDI_PATH: join(folder, 'no-libndi.so') };
  const { output } = await new CommandHere(['list'], nowhere).ended;
  expect(output).toMatch(
    /^stream-load +not ready +Stream load\n +No NDI runtime was found\. Tried:\n +.+no-libndi\.so/m,
  );
  expect(output).toMatch(/^storage +ready/m);
  const path = join(folder, 'without.yaml');
  writeFileSync(path, 'name: without\nexperiments:\n  - experiment: stream-load\n');
  const { exitCode, errors } = await new CommandHere(['run', path], nowhere).ended;
  expect(errors).toMatch(/^whiteline: without\.yaml:3:5: No NDI runtime was found\. Tried:\n.+no-libndi\.so/);
  expect(exitCode).toBe(exitCodes.environment);
});
