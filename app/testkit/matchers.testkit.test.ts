import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestkitProject, tolerant } from '../testing/testkit-project';

/** Each matcher from the tarball: it holds without faults, and fails for the fault that it is about. Cuts are in the example's test. */

let project: TestkitProject;

beforeAll(() => {
  project = new TestkitProject();
});
afterAll(() => project?.remove());

/** What each matcher is given, the fault that breaks it, and what its failure says. */
const cases: readonly (readonly [call: string, faults: string, says: RegExp])[] = [
  [
    'toLoseNoFrames({ for: 2 })',
    'skip:0-2',
    /lost \d+ frames in \d[\s\S]*\n {2}3 frames .* submitted and never arrived; injected on purpose/,
  ],
  [
    'toLoseAtMost({ frames: 2, for: 2 })',
    'skip:0-4',
    /lost \d+ frames in .*(at most 2 frames may be lost|, not judged: INVALID: )/,
  ],
  [
    'toLoseAtMost({ perMinute: 60, for: 2 })',
    'skip:0-9',
    /lost \d+ frames in .*(at most 60 a minute may be lost|, not judged: INVALID: )/,
  ],
  [
    'toRepeatNoFrames({ for: 2 })',
    'repeat:3; repeat:9',
    /repeated 2 frames in .*, (expected no repeats|not judged: INVALID: )/,
  ],
  ['toStallNever({ for: 4 })', 'delay:0,2s', /stood still \d times? in .*; longest gap: \d{4} ms/],
  ['toHaveLatencyBelow({ p99Ms: 150, for: 2 })', 'delay:0-20,300ms', /has a p99 latency of \d{3,4}\.\d ms/],
  [
    'toBeWhole({ for: 2 })',
    'tear:3; damage-top:9; shrink:15',
    /showed 3 frames not as sent[\s\S]*\n {2}1 frame .* torn.*; injected on purpose\n {2}1 frame .* damaged.*; injected on purpose\n {2}1 frame .* without a code.*; injected on purpose/,
  ],
];

function fileOf(name: string, isFaulty: boolean): void {
  const tests = cases.map(
    ([call, faults]) => `
    test(${JSON.stringify(call)}, async ({ send, watch }) => {
      const sent = await send('white-line', { name: 'Matched', format: '320x180@25' });
      const stream = await watch(sent.sources[0], { thresholds: '${isFaulty ? 'busy.yaml' : 'study'}' });
      ${isFaulty ? `await sent.inject('${faults}');` : ''}
      await expect(stream).${call};
    }, 60_000);`,
  );
  project.write('busy.yaml', tolerant);
  project.write(name, `import { test, expect } from 'whiteline/vitest';\n${tests.join('\n')}`);
}

/** Where other programs took the machine, what was lost is INVALID: it fails, and says so. */
const orInvalid =
  /was not measured: (INVALID|its latency was not measured: our .* process waited for a processor)/;

test('each holds where nothing is wrong', async () => {
  fileOf('green.test.js', false);
  const { tests, output } = await project.vitest('green.test.js');
  expect(tests, output).toHaveLength(cases.length);
  for (const { name, passed, text } of tests) if (!passed) expect(text, name).toMatch(orInvalid);
  await project.leavesNothingBehind();
});

test('each fails for its fault, in its words, with the run attached', async () => {
  fileOf('red.test.js', true);
  const { tests, output } = await project.vitest(
    'red.test.js',
    '--reporter=junit',
    '--outputFile.junit=junit.xml',
  );
  expect(tests, output).toHaveLength(cases.length);
  let worded = 0;
  for (const [index, [call, , says]] of cases.entries()) {
    const { passed = true, text = '' } = tests[index] ?? {};
    expect(passed, call).toBe(false);
    if (!orInvalid.test(text)) expect(text, call).toMatch(says);
    worded += Number(!orInvalid.test(text));
    expect(text, call).toMatch(/\nRun: \S+watch-1/);
  }
  expect(worded, output).toBeGreaterThan(0);
  expect(project.read('junit.xml')).toMatch(/whiteline: .*Matched 1\)/);
  await project.leavesNothingBehind();
});

test('types are those of a strict project, and examples of the page hold to them', async () => {
  project.write(
    'typed.ts',
    `import { readRun, run, send, watch, type Cut, type Measurement } from 'whiteline';
    import { expect as expectPage, test as testPage } from 'whiteline/playwright';
    import { expect, test } from 'whiteline/vitest';
    test('vitest', async ({ send, watch }) => {
      const sent = await send('white-line', { streams: 2 });
      const stream = await watch(sent.sources[0] ?? '');
      await expect(stream).toLoseAtMost({ frames: 2, for: '1s' });
      await expect(stream).not.toCutTo('x', { within: 2 });
      await expect(stream).toLoseAtMost({ frames: 2, perMinute: 3 });
      // @ts-expect-error one of the two at least
      await expect(stream).toLoseAtMost({ for: '1s' });
    });
    testPage('playwright', async ({ page, watch }) => {
      const stream = await watch('x', { programme: true });
      await page.goto('about:blank');
      await expectPage(stream).toHaveLatencyBelow({ p99Ms: 100 });
      // @ts-expect-error no such option
      await watch('x', { programm: true });
    });
    export async function alone(): Promise<[Measurement, Cut[] | null, string]> {
      const stream = await watch('x');
      const { reason } = await run({ name: 'x', experiments: [{ experiment: 'stream-load' }] }, { out: 'x' });
      await send();
      return [await stream.measure({ for: 1 }), await stream.cuts(), reason + (await readRun('x')).reason];
    }`,
  );
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
    '--types',
    'node',
  ];
  const examples = [...readFileSync(resolve('docs/testkit.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)];
  const files = examples.map(([, text = ''], index) => {
    const name = `example-${index}.ts`;
    project.write(name, text);
    return name;
  });
  expect(files.length).toBeGreaterThan(0);
  const output = await project.run(resolve('node_modules/typescript/bin/tsc'), [
    ...flags,
    'typed.ts',
    ...files,
  ]);
  expect(output).toBe('');
});
