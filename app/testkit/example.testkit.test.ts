import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ndiCandidates } from '../engine/streams/ndi-candidates';
import { browserOfSystem, passesUnlessBusy, TestkitProject } from '../testing/testkit-project';

/** The example of docs/testkit.md as a stranger copies it: green as it is, and red for the fault that was put in. */

let project: TestkitProject;
const library =
  ndiCandidates(process.env.WHITELINE_NDI_PATH, resolve('.')).find((path) => existsSync(path)) ?? '';
const mixer = {
  MIXER: resolve('native/build/Release/whiteline-mixer'),
  NDI_LIBRARY: library,
  ...browserOfSystem,
};

beforeAll(() => {
  project = new TestkitProject();
  project.copy('docs/examples/mixer');
});
afterAll(() => project?.remove());

const cutsRight = 'the mixer cuts to the camera of each button, and drops nothing';
const cutsOnce = 'the mixer cuts once for each press';

async function run(faults: string) {
  const { tests, output } = await project.playwright({ ...mixer, FAULTS: faults });
  expect(
    tests.map(({ name }) => name),
    output,
  ).toEqual([cutsRight, cutsOnce]);
  await project.leavesNothingBehind();
  return { output, tests: new Map(tests.map((one) => [one.name, one])) };
}

test('without faults it is green', async () => {
  const { tests, output } = await run('');
  expect(tests.get(cutsOnce), output).toMatchObject({ text: '', passed: true });
  expect(tests.get(cutsRight)?.text, output).toMatch(passesUnlessBusy);
});

test('a mixer that drops pictures at a cut is red for its losses, with the report attached', async () => {
  const { tests } = await run('drop 3');
  expect(tests.get(cutsRight)?.text).toMatch(/Mixer\) lost ([3-9]|\d\d+) frames in /);
  expect(tests.get(cutsRight)?.text).toMatch(/\nRun: /);
  expect(tests.get(cutsRight)?.attachments.join()).toMatch(/attachments\/whiteline-.*Mixer.*\.html/);
  expect(project.read('results/junit.xml')).toMatch(/\[\[ATTACHMENT\|.*whiteline-.*\.html\]\]/);
});

test('a mixer that does not cut is red for that', async () => {
  const { tests } = await run('stuck 1');
  for (const name of [cutsRight, cutsOnce])
    expect(tests.get(name)?.text).toMatch(/Mixer\) did not cut within 1 s, expected .*Camera 2\)/);
});

test('a mixer that cuts late is red for that', async () => {
  const { tests } = await run('late 1500');
  for (const name of [cutsRight, cutsOnce])
    expect(tests.get(name)?.text).toMatch(
      /Mixer\) did not cut to .*Camera 2\) within 1 s: it came after 1\.\d s, expected /,
    );
});

test('the player is green, and red with the frames that it skips and tears', async () => {
  const faultless = await project.vitest();
  expect(faultless.tests[0]?.text ?? 'absent', faultless.output).toMatch(passesUnlessBusy);
  const { tests, output } = await project.vitestWith({ FAULTS: 'skip:0-2; tear:20' });
  expect(tests[0]?.text, output).toMatch(/Player 1\) lost ([4-9]|\d\d+) frames in /);
  expect(tests[0]?.text).toMatch(/\n {2}3 frames .* were submitted and never arrived/);
  expect(tests[0]?.text).toMatch(/\n {2}1 frame .* arrived torn/);
  await project.leavesNothingBehind();
});
