import { expect, test } from 'vitest';
import { missingAmong } from './apt.mjs';

const wanted = ['ffmpeg', 'libgtk-3-0', 'fio'];
const unknown = (name) => `dpkg-query: no packages found matching ${name}\n`;
const answer = (parts) => ({ status: 0, signal: null, stdout: '', stderr: '', ...parts });

test.each([
  ['all are installed', { stdout: 'ffmpeg installed\nlibgtk-3-0:amd64 installed\nfio installed\n' }, []],
  [
    'one under its newer name, one removed',
    {
      status: 1,
      stdout: 'ffmpeg installed\nlibgtk-3-0t64:amd64 installed\nfio config-files\n',
      stderr: unknown('fiot64'),
    },
    ['fio'],
  ],
  ['none is known', { status: 1, stderr: wanted.map(unknown).join('') }, wanted],
])('%s', (_, parts, missing) => {
  expect(missingAmong(wanted, answer(parts))).toEqual(missing);
});

const error = (code) => Object.assign(new Error(`spawnSync dpkg-query ${code}`), { code });

test.each([
  ['it could not be started', { status: null, error: error('EMFILE') }, 'spawnSync dpkg-query EMFILE'],
  ['it did not end in time', { status: null, signal: 'SIGTERM', error: error('ETIMEDOUT') }, 'ETIMEDOUT'],
  ['it is not there', { status: null, error: error('ENOENT') }, 'spawnSync dpkg-query ENOENT'],
  ['it may not be run', { status: null, error: error('EACCES') }, 'spawnSync dpkg-query EACCES'],
  ['a signal ended it', { status: null, signal: 'SIGKILL' }, 'SIGKILL ended it'],
  [
    'its database is broken',
    { status: 2, stderr: 'dpkg-query: error: parsing file status\n' },
    'parsing file status',
  ],
  ['it failed without a word', { status: 2 }, 'exit status 2'],
  [
    'it could not read all',
    {
      status: 1,
      stdout: 'ffmpeg installed\n',
      stderr: `${unknown('fio')}dpkg-query: error: too many open files\n`,
    },
    'too many open files',
  ],
])('nothing is missing because of a question that failed: %s', (_, parts, why) => {
  const ask = () => missingAmong(wanted, answer(parts));
  expect(ask).toThrow(
    /^dpkg-query could not be asked, so set-up does not know what is here and changes nothing: /,
  );
  expect(ask).toThrow(why);
});
