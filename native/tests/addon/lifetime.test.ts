import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../app/testing/temporary-folder';
import { findAddon } from '../../addon/index';
import { addon, ndiFolder, smallFormat, uniqueName, waitFor } from './addon_fixture';

const folder = temporaryFolder();
const clip = `${process.cwd()}/test-content/bars-640x360-30-hap.mov`;

/** What a process has open: a grid and two movies, two senders, two receivers, a check and a finder, all at work. */
const openEverything = `
  const addon = { exports: {} };
  process.dlopen(addon, ${JSON.stringify(findAddon())});
  const { loadNdi, Finder, Source, Sender, Receiver, MovieCheck } = addon.exports;
  loadNdi([${JSON.stringify(ndiFolder)}]);
  const format = ${JSON.stringify(smallFormat)};
  const finder = new Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
  const command = { file: 'sh', arguments: ['-c', 'yes & exec yes'] };
  let open = [new Source({ kind: 'white-line', ...format }), new Source({ kind: 'movie', ...format, command })];
  open.push(...open.map((source, index) => new Sender({ transport: 'ndi', source, name: NAME + index, senderId: index + 1 })));
  const hap = { path: ${JSON.stringify(clip)}, startFrame: 0, preload: false, reads: 'cached' };
  const receivers = open.slice(2).map((sender) => new Receiver({ transport: 'ndi', name: sender.status().sourceName, receiverName: 'r' }));
  open.push(new Source({ kind: 'hap', ...format, hap }), new MovieCheck({ path: hap.path, decode: true, reads: 'cached' }));
  const movieProcess = () => open[1].status().commandProcessId;
  /** Once all has begun: each source plays, and the movie's command runs. */
  const atWork = (act) => {
    const plays = (source) => source.status().state === 'running' && source.drain().frameNumber.length > 0;
    if (movieProcess() > 0 && [open[0], open[4]].every(plays)) act();
    else setTimeout(atWork, 20, act);
  };
`;

function start(ending: string): ChildProcess {
  const code = `const NAME = ${JSON.stringify(uniqueName())};${openEverything}${ending}`;
  return spawn(process.execPath, ['--expose-gc', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function exitOf(child: ChildProcess): Promise<unknown> {
  const [code, signal] = await once(child, 'exit');
  return code ?? signal;
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

/** Each has a process of its own. */
describe.concurrent('a process with the addon', () => {
  test.each([
    ['process.exit with everything open', 'atWork(() => process.exit(0));'],
    ['process.exit at once', 'process.exit(0);'],
    ['the end of the script', 'atWork(() => {});'],
    [
      'closing in the wrong order',
      'atWork(() => { for (const h of [...open, ...receivers, finder]) h.close(); });',
    ],
    [
      'garbage collected before it is closed',
      `const awaitClosing = (turns) => {
         gc();
         if (addon.exports.openHandles() <= 2) return;
         if (turns === 0) process.exit(9);
         setTimeout(awaitClosing, 20, turns - 1);
       };
       atWork(() => { open = null; receivers.length = 0; awaitClosing(3000); });`,
    ],
  ])('%s ends the process cleanly', async (_, ending) => {
    expect(await exitOf(start(ending))).toBe(0);
  });

  test('a call of the SDK that never returns ends the process after 10 s, and the exit status says so', async () => {
    const library = join(folder, 'stuck_ndi.so');
    const flags = ['-std=c++20', '-shared', '-fPIC', '-isystem', '.runtime/ndi/include', '-o', library];
    execFileSync('c++', [...flags, 'native/tests/tools/stuck_ndi.cc', '-ldl']);
    const { path: real } = addon.loadNdi([ndiFolder]);
    const code = `
      const addon = { exports: {} };
      process.dlopen(addon, ${JSON.stringify(findAddon())});
      const { loadNdi, Source, Sender } = addon.exports;
      loadNdi([${JSON.stringify(library)}]);
      const source = new Source({ kind: 'white-line', ...${JSON.stringify(smallFormat)} });
      const sender = new Sender({ transport: 'ndi', source, name: ${JSON.stringify(uniqueName())}, senderId: 1 });
      const end = () => (sender.drain().frameNumber.length > 0 ? process.exit(0) : setTimeout(end, 20));
      end();`;
    const child = spawn(process.execPath, ['-e', code], {
      env: { ...process.env, WHITELINE_REAL_NDI: real },
    });
    let said = '';
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    expect(await exitOf(child)).toBe(1);
    expect(said).toContain('did not return within 10 s');
  });

  test('an exception that no one catches ends the process as usual', async () => {
    const child = start(
      'console.error = () => {}; process.on("uncaughtException", () => process.exit(7)); throw new Error();',
    );
    expect(await exitOf(child)).toBe(7);
  });

  test('the movie command ends with a process that is killed', async () => {
    const child = start('setInterval(() => console.log(movieProcess()), 100);');
    let printed = '';
    child.stdout?.on('data', (text: Buffer) => {
      printed += text.toString();
    });
    const movieProcess = await waitFor('the command', () =>
      printed
        .split('\n')
        .map(Number)
        .find((number) => number > 0),
    );
    expect(isAlive(movieProcess)).toBe(true);
    const exit = exitOf(child);
    child.kill('SIGKILL');
    expect(await exit).toBe('SIGKILL');
    await waitFor('the end of the command', () => (isAlive(movieProcess) ? undefined : true));
  });
});
