import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';

const command = path.join(rootFolder, 'dist/app/cli.cjs');
/** Until a program says what it is waited for: a ramp measures its first row before. */
const startsWithinMs = 240_000;

/**
 * Runs `act` with a folder of its own, in which the settings of the user are, and ends all that it started there.
 * @template Result
 * @param {(at: {
 *   start: (words: string[], isReady: RegExp, program?: string) => Promise<void>,
 *   whiteline: (...words: string[]) => void,
 *   end: (number: number) => Promise<void>,
 *   ids: () => number[], environment: NodeJS.ProcessEnv, folder: string,
 * }) => Promise<Result>} act `start` runs `whiteline`, or another program of Node, until it says something; `end` ends the one that was
 *   started as number n, from 0; `ids` are those of all of them
 * @throws where a program ends, or says it too late
 */
export async function withPrograms(act) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  const environment = { ...process.env, XDG_CONFIG_HOME: path.join(folder, 'config') };
  const children = [];
  const start = async (words, isReady, program = command) => {
    const child = spawn(process.execPath, [program, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
    });
    children.push(child);
    await says(child, isReady);
  };
  const end = async (child) => {
    child.kill('SIGINT');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  try {
    return await act({
      ...{ start, environment, folder },
      end: (number) => end(children[number]),
      whiteline: (...words) => execFileSync(process.execPath, [command, ...words], { env: environment }),
      ids: () => children.map(({ pid }) => pid),
    });
  } finally {
    await Promise.all(children.reverse().map(end));
    rmSync(folder, { recursive: true, force: true });
  }
}

function says(child, text) {
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(
      () => reject(new Error(`no ${text} within ${startsWithinMs / 1000} s: ${said}`)),
      startsWithinMs,
    );
    const settle = (act) => {
      clearTimeout(late);
      act();
    };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (words) => {
        said += words;
        if (text.test(said)) settle(resolve);
      });
    child.once('exit', (code) => settle(() => reject(new Error(`ended with ${code}: ${said}`))));
  });
}
