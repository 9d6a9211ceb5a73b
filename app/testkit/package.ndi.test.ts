import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserOfSystem, TestkitProject } from '../testing/testkit-project';

/**
 * The packed kit as a stranger installs it, with real NDI: a test of each runner, in the Node that runs this. The suite `testkit` has all
 * else.
 */

let project: TestkitProject;

beforeAll(() => {
  project = new TestkitProject();
});
afterAll(() => project?.remove());

const file = `
import { test, expect } from 'whiteline/vitest';
const format = '320x180@25';

test('green', async ({ send, watch }) => {
  const sent = await send('white-line', { name: 'Kit', format });
  const stream = await watch(sent.sources[0]);
  expect([stream.name, stream.method]).toEqual([sent.sources[0], 'frame-code']);
  await expect(stream).toBeWhole({ for: '1s' });
}, 60_000);

test('red', async ({ send, watch }) => {
  const sent = await send('white-line', { name: 'Kit', format });
  const stream = await watch(sent.sources[0]);
  await sent.inject('skip:0-2; tear:20');
  await expect(stream).toLoseNoFrames({ for: '2s' });
}, 60_000);
`;

test('a test of Vitest counts frames: green, and red with each loss, its time and the folder of the run', async () => {
  project.write('kit.test.js', file);
  const { tests, output } = await project.vitest();
  const [green, red] = tests;
  expect(tests, output).toHaveLength(2);
  // Where other programs took the machine, what was lost is INVALID, and no test is green.
  expect(green?.text, output).toMatch(/^$|was not measured: INVALID/);
  expect(red?.passed).toBe(false);
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
  await sent.inject('skip:0-2');
  await expect(stream).toLoseNoFrames({ for: '2s' });
});
`;

test('a test of Playwright counts them while it operates a page of the system’s Chromium', async () => {
  project.write('kit.spec.js', spec);
  project.copyFile('docs/examples/mixer/playwright.config.js');
  const { tests, output } = await project.playwright(browserOfSystem);
  const [green, red] = tests;
  expect(tests, output).toHaveLength(2);
  expect(green?.text, output).toMatch(/^$|was not measured: INVALID/);
  expect(red?.text, output).toMatch(
    /\n {2}3 frames .* were submitted and never arrived; injected on purpose/,
  );
  expect(red?.attachments.join()).toMatch(/attachments\/whiteline-.*\.html/);
  await project.leavesNothingBehind();
});
