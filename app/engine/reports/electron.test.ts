import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { findElectron } from './electron';

const folder = temporaryFolder();

test('the Electron that set-up recorded is found in a checkout that was moved since (P6)', () => {
  const checkout = join(folder, 'checkout');
  mkdirSync(join(checkout, '.runtime/electron'), { recursive: true });
  writeFileSync(join(checkout, '.runtime/electron/electron'), '');
  writeFileSync(join(checkout, '.runtime/electron.json'), '{ "executable": ".runtime/electron/electron" }');
  const moved = join(folder, 'moved');
  renameSync(checkout, moved);
  expect(findElectron(moved)).toBe(join(moved, '.runtime/electron/electron'));
});
