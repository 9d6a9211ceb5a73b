import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findAddon, findContentAddon } from '../../addon/index';
import { ndiFolder, smallFormat, uniqueName } from './addon_fixture';

const clip = `${process.cwd()}/test-content/bars-640x360-30-hap.mov`;

/**
 * Opens one of each kind but for those of NDI, whose own threads go on starting others; has the system refuse every further thread, tries to open another of each, and closes the first
 * ones. The limit does not hold for root, so that root becomes another user.
 */
const withoutThreads = `
  const { execFileSync } = require('node:child_process');
  const [addon, content] = ${JSON.stringify([findAddon(), findContentAddon()])}.map((file) => {
    const module = { exports: {} };
    process.dlopen(module, file);
    return module.exports;
  });
  const { loadNdi, ...classes } = { ...content, ...addon };
  loadNdi([${JSON.stringify(ndiFolder)}]);
  const format = ${JSON.stringify(smallFormat)};
  const { rateNumerator, rateDenominator } = format;
  const path = ${JSON.stringify(clip)};
  const source = new classes.Source({ kind: 'white-line', ...format });
  const hap = { path, startFrame: 0, preload: false, reads: 'cached' };
  const name = ${JSON.stringify(uniqueName())};
  const ours = {
    source: () => new classes.Source({ kind: 'noise', ...format }),
    hap: () => new classes.Source({ kind: 'hap', ...format, hap }),
    movie: () => new classes.Source({ kind: 'movie', ...format, command: { file: 'yes', arguments: [] } }),
    movieCheck: () => new classes.MovieCheck({ path, decode: true, reads: 'cached' }),
    qualityCheck: () => new classes.QualityCheck({ program: 'x', clip: { path, generator: 'flares', frames: [0] } }),
    wakeUps: () => new classes.WakeUpLateness({ rateNumerator, rateDenominator, slots: 1000 }),
    score: () => new classes.ProcessorScore(),
    standstills: () => new classes.StandstillWatch(),
    textures: () => new classes.TextureReader({ path, startFrame: 0, rateNumerator, rateDenominator, startNs: 0 }),
  };
  const ofNdi = {
    sender: () => new classes.Sender({ transport: 'ndi', source, name, senderId: 1, audio: true, answerTime: true }),
    receiver: () => new classes.Receiver({ transport: 'ndi', name: 'x', receiverName: 'r' }),
    finder: () => new classes.Finder({ transport: 'ndi' }),
  };
  const handles = Object.values(ours).map((open) => open());
  execFileSync('prlimit', ['--pid', String(process.pid), '--nproc=1:']);
  if (process.getuid() === 0) process.setuid(65534);
  const codes = Object.entries({ ...ours, ...ofNdi }).map(([name, open]) => {
    try {
      open();
      return [name, 'opened'];
    } catch (error) {
      return [name, error.code];
    }
  });
  for (const handle of [source, ...handles]) handle.close();
  console.log(JSON.stringify({ codes: Object.fromEntries(codes), left: addon.openHandles() + content.openHandles() }));
`;

test('where no thread is to be had, every opening is refused, and closing closes', () => {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, ['-e', withoutThreads], {
    encoding: 'utf8',
  });
  expect({ stderr, status, signal }).toEqual({ stderr: '', status: 0, signal: null });
  const { codes, left } = JSON.parse(stdout);
  expect(left).toBe(0);
  const { sender, receiver, finder, ...ours } = codes;
  expect([sender, receiver, finder]).toEqual(Array(3).fill('THREADS_EXHAUSTED'));
  expect(Object.values(ours)).toEqual(Array(9).fill('NATIVE_FAILED'));
});
