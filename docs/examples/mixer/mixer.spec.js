import { expect, test as withWhiteline } from 'whiteline/playwright';
import { startPanel } from './panel.js';

/** Two cameras of ours, a mixer between them, and its panel. FAULTS puts faults into the mixer: "drop 3; stuck 1". */
const test = withWhiteline.extend({
  mixer: async ({ send }, use) => {
    const cameras = await send('white-line', {
      name: 'Camera',
      streams: 2,
      ownSources: true,
      format: '320x180@25',
    });
    const panel = await startPanel({
      program: process.env.MIXER ?? 'whiteline-mixer',
      library: process.env.NDI_LIBRARY ?? '',
      name: 'Mixer',
      sources: cameras.sources,
      faults: (process.env.FAULTS ?? '').split(';').filter(Boolean),
    });
    await use({ ...panel, cameras: cameras.sources });
    await panel.close();
  },
});

test('the mixer cuts to the camera of each button, and drops nothing', async ({ page, watch, mixer }) => {
  const [, second] = mixer.cameras;
  const programme = await watch(mixer.programme, { programme: true });
  await page.goto(mixer.url);
  await page.getByRole('button', { name: second }).click();
  await expect(programme).toCutTo(second, { within: '1s' });
  await expect(programme).toLoseNoFrames({ for: '2s' });
});

test('the mixer cuts once for each press', async ({ page, watch, mixer }) => {
  const [first, second] = mixer.cameras;
  const programme = await watch(mixer.programme, { programme: true });
  await page.goto(mixer.url);
  for (const camera of [second, first]) {
    await programme.mark();
    await page.getByRole('button', { name: camera }).click();
    await expect(programme).toCutTo(camera, { within: '1s' });
    await expect(programme).toHaveCuts(1);
  }
});
