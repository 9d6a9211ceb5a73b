import path from 'node:path';
import { expect, test } from 'vitest';
import { registries } from './experiments.mjs';
import { rootFolder } from './setup/platform.mjs';

const folder = path.join(rootFolder, 'app/experiments');

test.each(Object.entries(registries(folder)))('%s lists what the folders hold', async (name, text) => {
  await expect(text).toMatchFileSnapshot(path.join(folder, name));
});
