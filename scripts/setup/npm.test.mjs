import { expect, test } from 'vitest';
import { isOutput } from './npm.mjs';

test("npm's are all packages and links, and not what other tools keep beside them", () => {
  const names = [
    '.package-lock.json',
    '.bin',
    '.bin/tsc',
    'zod',
    '@types/node',
    'electron/install.js',
    'a/.b',
  ];
  expect(names.filter((name) => !isOutput(`node_modules/${name}`))).toEqual([]);
  const others = ['.vite', '.cache', 'electron/dist', 'electron/path.txt'];
  expect(others.filter((name) => isOutput(`node_modules/${name}`))).toEqual([]);
});
