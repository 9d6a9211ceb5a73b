import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from './setup/platform.mjs';
import { v8OptionsOf } from './v8-options.mjs';

test('the packaged command starts the engine under the same options as the one of a checkout', () => {
  const script = readFileSync(path.join(rootFolder, 'scripts/package/whiteline'), 'utf8');
  const [, options] = /\n {2}\*\) v8='([^']+)'/.exec(script) ?? [];
  expect(options?.split(' ')).toEqual(v8OptionsOf('run'));
  const [, without] = /\n {2}([\w |]+)\) v8= ;;/.exec(script) ?? [];
  expect(without?.split(' | ').map(v8OptionsOf)).toEqual([[], []]);
});
