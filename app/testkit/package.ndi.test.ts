import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserOfSystem, passesUnlessBusy, TestkitProject } from '../testing/testkit-project';

/**
 * The packed kit as a stranger installs it, with real NDI: a test of each runner, in the Node that runs this. The suite `testkit` has all
 * else.
 */

let project: TestkitProject;

beforeAll(() => {
  project = new TestkitProject();
});
afterAll(() => project?.remove());

/** Puts faults in until none of their frames was lost by the machine, or beside another one: it may be busy. Since the mark all are listed. */
const injected = `
async function injected(sent, stream, faults, frames) {
  let found;
  do {
    await stream.mark();
    await sent.inject(faults);
    const { losses } = await stream.measure({ for: '2s' });
    const own = losses.filter(({ causes: [cause] }) => cause?.code === 'injected' && !cause.data.others);
    found = own.map((loss) => loss.stage.replace(/^transport.*/, 'transport') + ' ' + loss.frames);
  } while (!frames.every((one) => found.includes(one)));
}
`;

const file = `
import { test, expect } from 'whiteline/vitest';
const format = '320x180@25';
${injected}

test('green', async ({ send, watch }) => {
  const sent = await send('white-line', { name: 'Kit', format });
  const stream = await watch(sent.sources[0]);
  expect([stream.name, stream.method]).toEqual([sent.sources[0], 'frame-code']);
  await expect(stream).toBeWhole({ for: '1s' });
}, 60_000);

test('red', async ({ send, watch }) => {
  const sent = await send('white-line', { name: 'Kit', format });
  const stream = await watch(sent.sources[0]);
  await injected(sent, stream, 'skip:0-2; tear:20', ['transport 3', 'torn 1']);
  await expect(stream).toLoseNoFrames();
}, 60_000);
`;

test('a test of Vitest counts frames: green, and red with each loss, its time and the folder of the run', async () => {
  project.write('kit.test.js', file);
  const { tests, output } = await project.vitest();
  const [clean, red] = tests;
  expect(tests, output).toHaveLength(2);
  expect(clean?.text, output).toMatch(passesUnlessBusy);
  expect(red?.text, output).toMatch(/Kit 1\) lost ([4-9]|\d\d+) frames in /);
  expect(red?.text).toMatch(
    /\n {2}3 frames between [\d:.]+ and [\d:.]+ UTC were submitted and never arrived; injected on purpose/,
  );
  expect(red?.text).toMatch(/\n {2}1 frame at [\d:.]+ UTC arrived torn.*; injected on purpose/);
  expect(red?.text).toMatch(/\nRun: \S+watch-1/);
  await project.leavesNothingBehind();
});

const spec = `
import { test, expect } from 'whiteline/playwright';
const format = '320x180@25';
${injected}

test('green', async ({ page, send, watch }) => {
  const sent = await send('white-line', { name: 'Kit', format });
  const stream = await watch(sent.sources[0]);
  await page.setContent('<button>Cut</button>');
  await page.getByRole('button', { name: 'Cut' }).click();
  await expect(stream).toBeWhole({ for: '1s' });
});

test('red', async ({ send, watch }) => {
  const sent = await send('white-line', { name: 'Kit', format });
  const stream = await watch(sent.sources[0]);
  await injected(sent, stream, 'skip:0-2', ['transport 3']);
  await expect(stream).toLoseNoFrames();
});
`;

test('a test of Playwright counts them while it operates a page of the system’s Chromium', async () => {
  project.write('kit.spec.js', spec);
  project.copyFile('docs/examples/mixer/playwright.config.js');
  const { tests, output } = await project.playwright(browserOfSystem);
  const [clean, red] = tests;
  expect(tests, output).toHaveLength(2);
  expect(clean?.text, output).toMatch(passesUnlessBusy);
  expect(red?.text, output).toMatch(
    /\n {2}3 frames .* were submitted and never arrived; injected on purpose/,
  );
  expect(red?.attachments.join()).toMatch(/attachments\/whiteline-.*\.html/);
  await project.leavesNothingBehind();
});
