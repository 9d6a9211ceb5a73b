import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestkitProject, tolerant } from '../testing/testkit-project';

/** A sender that others made, with pictures of its own: what matchers say of each thing that it may do. */

const packages = resolve('.runtime/cyndilib');
const cannot = existsSync(packages) ? '' : ' (not measured: set-up says why cyndilib is not here)';

const head = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test, expect } from 'whiteline/vitest';

/** Does what it is told, and has done it when the promise resolves. */
async function sender(name) {
  const program = spawn('python3', [${JSON.stringify(resolve('app/testing/cyndilib_sender.py'))}, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: ${JSON.stringify(packages)}, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const said = createInterface(program.stdout);
  await once(said, 'line');
  return async (order) => {
    const done = order === 'end' ? once(program, 'exit') : once(said, 'line');
    program.stdin.write(order + '\\n');
    await done;
  };
}

/** The first line of a failure. */
const says = (assertion) => assertion.then(() => 'holds', ({ message }) => message.split('\\n')[0]);
`;

const notMeasured = String.raw`Cyn \S+\) was not measured: `;
const silent = String.raw`the sender was connected, but no new frame arrived for 2\.\d s: it may send only when its picture changes`;
const moreThanDue = 'more frames came than its rate allows';

/** Each with a stream of its own that is followed. */
const bodies = {
  steady: `
    await expect(stream).toLoseNoFrames({ for: '2s' });
    await expect(stream).toStallNever();
    await expect(stream).toRepeatNoFrames();
    const refused = /${notMeasured}its pictures carry no frame code, so that nobody can say whether they are whole$/;
    expect(await says(expect(stream).toBeWhole())).toMatch(refused);
    expect(await says(expect(stream).not.toBeWhole())).toMatch(refused);
    expect(await says(expect(stream).toHaveLatencyBelow({ p99Ms: 1e6 }))).toMatch(/carry no frame code, which says/);
    const { rows, events } = await stream.measure();
    expect(JSON.stringify(rows[0].reason)).toContain('against the declared rate of 25 frames a second');
    expect(events.find(({ kind }) => kind === 'stream-connected').details.format).toBe('320x180@25');`,
  skips: `
    await order('skip 3');
    await stream.measure({ for: '2s' });
    expect(await says(expect(stream).toLoseNoFrames())).toMatch(/lost 3 frames in .* \\(by its timestamps\\), at most 0/);
    await expect(stream).toLoseAtMost({ frames: 3 });
    await expect(stream).toStallNever();`,
  freezes: `
    await order('pause 2');
    await expect(stream).toRecoverWithin('3s');
    await stream.measure({ for: '1s' });
    for (const judged of [expect(stream), expect(stream).not]) {
      expect(await says(judged.toLoseNoFrames())).toMatch(/${notMeasured}its losses were not measured: the sender was connected and silent/);
      expect(await says(judged.toStallNever())).toMatch(/${notMeasured}${silent}/);
    }`,
  'shows a still': `
    await order('still 2');
    await stream.measure({ for: '1s' });
    await expect(stream).toLoseNoFrames();
    await expect(stream).toStallNever();
    await expect(stream).toRepeatNoFrames();`,
  repeats: `
    await order('twice 1');
    await stream.measure({ for: '1s' });
    for (const judged of [expect(stream), expect(stream).not])
      expect(await says(judged.toRepeatNoFrames())).toMatch(/${notMeasured}its repeats were not measured: ${moreThanDue}/);`,
  'changes its rate': `
    await order('rate 30');
    await stream.measure({ for: '2s' });
    await stream.mark();
    const { rows } = await stream.measure({ for: '2s' });
    expect(JSON.stringify(rows[0].reason)).toMatch(/against the measured rate of (29\\.9\\d*|30(\\.0\\d*)?) frames a second \\(25 declared/);
    await expect(stream).toLoseNoFrames();`,
  vanishes: `
    await order('end');
    expect(await says(expect(stream).toRecoverWithin('2s'))).toMatch(/was not back within 2 s/);
    expect(await says(expect(stream).toLoseNoFrames())).toMatch(/lost \\d\\d+ frames in .* \\(by its timestamps\\)/);
    expect(await says(expect(stream).toStallNever())).toMatch(/stood still \\d+ times? in /);
    expect((await stream.measure()).outages.length).toBeGreaterThan(0);
    await expect.poll(async () => (await stream.measure()).method, { timeout: 1000 }).toBe('timestamps');
    expect(await says(expect(stream).toBeWhole())).toMatch(/carry no frame code|no picture that can be counted/);`,
} as const;

describe.skipIf(cannot !== '')(`a sender of cyndilib${cannot}`, () => {
  let project: TestkitProject;

  beforeAll(() => {
    project = new TestkitProject();
  });
  afterAll(() => project?.remove());

  test('is judged by its timestamps: what it does is told apart, and what needs our code is refused', async () => {
    const tests = Object.entries(bodies).map(
      ([name, body]) => `
      test('${name}', async ({ watch }) => {
        const name = 'Cyn ${name.replaceAll(' ', '-')}';
        const order = await sender(name);
        const stream = await watch(name, { thresholds: 'busy.yaml' });
        expect(stream.method).toBe('timestamps');
        await stream.measure({ for: '1s' });
        ${body}
      }, 60_000);`,
    );
    project.write('busy.yaml', tolerant);
    project.write('foreign.test.js', head + tests.join(''));
    const { tests: done, output } = await project.vitest('foreign.test.js');
    expect(done.map(({ name }) => name)).toEqual(Object.keys(bodies));
    for (const { name, text } of done) expect(text, `${name}\n${output}`).toBe('');
    await project.leavesNothingBehind();
  });
});
