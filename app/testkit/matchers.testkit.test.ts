import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passesUnlessBusy, TestkitProject, tolerant } from '../testing/testkit-project';

/** Each matcher from the tarball: it holds without faults, and fails for the fault that it is about. Cuts are in the example's test. */

let project: TestkitProject;

beforeAll(() => {
  project = new TestkitProject();
});
afterAll(() => project?.remove());

interface Case {
  call: string;
  /** Where nothing is wrong, if that is another one: a busy machine raises the latency. */
  clean?: string;
  /** What breaks it. */
  faults: string;
  /** Whether the machine let all of it through, as an expression over what was measured. */
  isShown: string;
  says: RegExp;
}

const cases: readonly Case[] = [
  {
    call: 'toLoseNoFrames()',
    faults: 'skip:0-2',
    isShown: 'ofFault(3)',
    says: /lost \d+ frames in \d[\s\S]*\n {2}3 frames .* submitted and never arrived; injected on purpose/,
  },
  {
    call: 'toLoseAtMost({ frames: 2 })',
    faults: 'skip:0-4',
    isShown: 'ofFault(5)',
    says: /lost \d+ frames in .*, (at most 2 frames may be lost|not judged: INVALID: )/,
  },
  {
    call: 'toLoseAtMost({ perMinute: 60 })',
    faults: 'skip:0-9',
    isShown: 'ofFault(10)',
    says: /lost \d+ frames in .*, (at most 60 a minute may be lost|not judged: INVALID: )/,
  },
  {
    call: 'toRepeatNoFrames()',
    faults: 'repeat:3; repeat:9',
    isShown: "sum('framesDuplicated') === 2",
    says: /repeated 2 frames in .*, (expected no repeats|not judged: INVALID: )/,
  },
  {
    call: 'toStallNever()',
    faults: 'delay:0,2s',
    isShown: "sum('stalls') > 0",
    says: /stood still \d times? in .*; longest gap: \d{4,} ms/,
  },
  {
    call: 'toHaveLatencyBelow({ p99Ms: 150 })',
    clean: 'toHaveLatencyBelow({ p99Ms: 60_000 })',
    faults: 'delay:0-20,300ms',
    isShown: "rows.every(({ figures }) => figures['latencyMs.p99'] !== null)",
    says: /has a p99 latency of \d{3,}\.\d ms/,
  },
  {
    call: 'toBeWhole()',
    faults: 'tear:3; damage-top:9; shrink:15',
    isShown:
      "sum('framesSpoilt') + sum('framesUndecodable') === 3 && ['torn', 'damaged'].every((stage) => ofFault(1, stage))",
    says: /showed 3 frames not as sent[\s\S]*\n {2}1 frame .* torn.*; injected on purpose\n {2}1 frame .* damaged.*; injected on purpose\n {2}1 frame .* without a code.*; injected on purpose/,
  },
];

const head = `
import { test, expect } from 'whiteline/vitest';
const start = async (send, watch, thresholds) => {
  const sent = await send('white-line', { name: 'Matched', format: '320x180@25' });
  return { sent, stream: await watch(sent.sources[0], { thresholds }) };
};
`;

function clean({ call, clean: name = call }: Case): string {
  return `
    test(${JSON.stringify(call)}, async ({ send, watch }) => {
      const { stream } = await start(send, watch, 'study');
      await stream.measure({ for: 2 });
      await expect(stream).${name};
    }, 60_000);`;
}

/** Puts the faults in until the machine, which may be busy, lost none of their frames, nor one beside them. */
function faulty({ call, faults, isShown }: Case): string {
  return `
    test(${JSON.stringify(call)}, async ({ send, watch }) => {
      const { sent, stream } = await start(send, watch, 'busy.yaml');
      for (;;) {
        await stream.mark();
        await sent.inject('${faults}');
        const { rows, losses } = await stream.measure({ for: 4 });
        const sum = (id) => rows.reduce((total, { figures }) => total + figures[id], 0);
        const ofFault = (frames, stage) =>
          losses.some((loss) =>
            loss.frames === frames && loss.causes[0]?.code === 'injected' && !loss.causes[0].data.others &&
            (stage === undefined ? loss.text.includes('submitted and never arrived') : loss.stage === stage));
        if (${isShown}) break;
      }
      await expect(stream).${call};
    }, 60_000);`;
}

async function ran(name: string, test: (one: Case) => string, ...flags: string[]) {
  project.write('busy.yaml', tolerant);
  project.write(name, head + cases.map(test).join('\n'));
  const { tests, output } = await project.vitest(name, ...flags);
  expect(
    tests.map((one) => one.name),
    output,
  ).toEqual(cases.map(({ call }) => call));
  return { tests, output };
}

test('each holds where nothing is wrong', async () => {
  const { tests } = await ran('green.test.js', clean);
  for (const { text, name } of tests) expect(text, name).toMatch(passesUnlessBusy);
  await project.leavesNothingBehind();
});

test('each fails for its fault, in its words, with the run attached', async () => {
  const { tests, output } = await ran(
    ...(['red.test.js', faulty, '--reporter=junit', '--outputFile.junit=junit.xml'] as const),
  );
  for (const [index, { call, says }] of cases.entries()) {
    const { passed = true, text = '' } = tests[index] ?? {};
    expect(passed, output).toBe(false);
    expect(text, call).toMatch(says);
    expect(text, call).toMatch(/\nRun: \S+watch-1/);
  }
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
