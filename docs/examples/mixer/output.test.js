import { expect, test } from 'whiteline/vitest';

/** The same without a page: a source of ours stands for a player. FAULTS puts faults into it: "skip:0-2; tear:20". */
const format = '320x180@25';

test('the player loses nothing and shows each picture whole', async ({ send, watch }) => {
  const player = await send('white-line', { name: 'Player', format });
  const output = await watch(player.sources[0]);
  if (process.env.FAULTS) await player.inject(process.env.FAULTS);
  await expect(output).toLoseNoFrames({ for: '2s' });
  await expect(output).toBeWhole();
});
