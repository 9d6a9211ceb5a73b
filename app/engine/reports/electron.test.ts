import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { findElectron, printWithElectron } from './electron';

const folder = temporaryFolder();

afterEach(() => vi.unstubAllEnvs());

test('the Electron that set-up recorded is found in a checkout that was moved since (P6)', () => {
  const checkout = join(folder, 'checkout');
  mkdirSync(join(checkout, '.runtime/electron'), { recursive: true });
  writeFileSync(join(checkout, '.runtime/electron/electron'), '');
  writeFileSync(join(checkout, '.runtime/electron.json'), '{ "executable": ".runtime/electron/electron" }');
  const moved = join(folder, 'moved');
  renameSync(checkout, moved);
  expect(findElectron(moved)).toBe(join(moved, '.runtime/electron/electron'));
});

test('npm’s script in PATH is no Electron: what is missing is named, and the command that gets it', () => {
  const checkout = join(folder, 'headless');
  const bin = join(checkout, 'node_modules/.bin');
  const script = join(checkout, 'node_modules/electron/cli.js');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(checkout, 'node_modules/electron'));
  writeFileSync(script, '#!/usr/bin/env node\nthrow new Error("Electron failed to install correctly");\n');
  chmodSync(script, 0o755);
  symlinkSync('../electron/cli.js', join(bin, 'electron'));
  vi.stubEnv('PATH', bin);
  expect(() => findElectron(checkout)).toThrow(
    expect.objectContaining({
      code: 'TOOL_MISSING',
      message: 'A PDF is printed by Electron, which is not installed here',
      remedy: expect.stringMatching(/^Run npm run setup, which gets it/),
    }),
  );
});

test('of an Electron that fails, its message is said and not the stack', async () => {
  const electron = join(folder, 'failing-electron');
  const said = [
    'Error: no library',
    '    at Module._compile (node:internal/modules:1:2)',
    '',
    'Node.js v20.20.2',
  ];
  writeFileSync(
    electron,
    `#!/bin/sh\nprintf '%s\\n' ${said.map((line) => `'${line}'`).join(' ')} >&2\nexit 1\n`,
  );
  chmodSync(electron, 0o755);
  vi.stubEnv('WHITELINE_ELECTRON', electron);
  vi.stubEnv('DISPLAY', ':99');
  const failed = printWithElectron(folder, join(folder, 'a.html'), join(folder, 'a.pdf'));
  await expect(failed).rejects.toThrow(/it ended with 1, saying: Error: no library$/);
});
