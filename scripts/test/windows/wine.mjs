import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRoot } from '../../setup/platform.mjs';
import { SetupError } from '../../setup/report.mjs';
import { windowsParts } from '../../setup/windows.mjs';

const bootMs = 120_000;

/** Says nothing of its own, asks for no window, and installs no Mono or Gecko. */
const quietly = { WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' };

/** Each end has a limit: whatever hangs in this network is killed before the drive goes. */
const keep = `ip link set lo up; echo; cat >/dev/null
timeout -k 1 10 "$1" -k; timeout -k 1 20 "$1" -w
own=$(readlink /proc/$$/ns/net)
[ "$own" = "$(readlink /proc/1/ns/net)" ] || for process in /proc/[0-9]*; do
  [ -n "$own" ] && [ "$(readlink "$process/ns/net")" = "$own" ] && [ "$process" != "/proc/$$" ] && kill -KILL "\${process#/proc/}"
done
rm -rf "$WINEPREFIX"`;

/**
 * A Windows 10 by Wine, with a drive C: and a network of its own: NDI's library for Windows can wait for ever under Wine when it opens
 * a sender while others announce theirs by multicast. However this process ends, a shell that waits for that kills what runs
 * there, and removes the drive.
 * @param {(wine: Wine) => Promise<T>} work
 * @param {{ isInTime?: boolean }} [options] isInTime: it must keep time beside other suites on this machine
 * @returns {Promise<T>}
 * @template T
 */
export async function inWine(work, { isInTime = true } = {}) {
  if (!isRoot)
    throw new SetupError('only root may make a network for Wine.', 'run the suite `windows` as root');
  const prefix = mkdtempSync(path.join(os.tmpdir(), 'whiteline-wine-'));
  const keeper = spawn('unshare', ['--net', 'sh', '-c', keep, 'sh', windowsParts.wineserver], {
    env: { ...process.env, WINEPREFIX: prefix },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = once(keeper, 'exit');
  try {
    await Promise.race([once(keeper.stdout, 'data'), ended]);
    const wine = new Wine(prefix, keeper.pid, isInTime ? ['nice', '-n', '-15'] : []);
    await wine.boot();
    return await work(wine);
  } finally {
    keeper.stdin.end();
    await ended;
  }
}

export class Wine {
  /**
   * @param {number} keeperId of the process whose network it has
   * @param {string[]} before each command
   */
  constructor(prefix, keeperId, before) {
    this.inNetwork = [...before, 'nsenter', `--net=/proc/${keeperId}/ns/net`];
    this.devices = path.join(prefix, 'dosdevices');
    this.folder = path.join(prefix, 'drive_c/whiteline');
    // Wine takes its names of files by this language.
    this.environment = { ...withoutDisplay(process.env), ...quietly, LC_ALL: 'C.UTF-8', WINEPREFIX: prefix };
  }

  async boot() {
    // Its outputs lie there.
    mkdirSync(this.folder, { recursive: true });
    for (const words of [
      ['wineboot', '-i'],
      // Node refuses older ones.
      ['winecfg', '-v', 'win10'],
    ]) {
      const options = { name: words[0], cwd: os.tmpdir(), limitMs: bootMs };
      const { status, signal, output } = await this.start(words, options).ended;
      if (status !== 0)
        throw new SetupError(
          `Wine made no Windows: ${words.join(' ')} ended with ${signal ?? status}.\n${output}`,
          `see what \`${windowsParts.wine} ${words.join(' ')}\` says`,
        );
    }
  }

  /** A file in the one folder of ours on drive C:, as Windows calls it and as this system does. */
  windowsPath(name) {
    return `C:\\whiteline\\${name.replaceAll('/', '\\')}`;
  }
  file(name) {
    return path.join(this.folder, name);
  }

  /**
   * A folder of ours as a drive, such as `x:`, or as a share, such as `unc/server/share`.
   * @returns what takes it away again
   */
  connect(name, device) {
    const link = path.join(this.devices, device);
    for (const folder of [this.file(name), path.dirname(link)]) mkdirSync(folder, { recursive: true });
    symlinkSync(this.file(name), link);
    return () => unlinkSync(link);
  }

  /** Starts a program of Windows. */
  start(command, options) {
    return this.startBeside([windowsParts.wine, ...command], options);
  }

  /**
   * Starts a program of this system in Wine's network; its output goes to a file, since Wine gives no good pipes.
   * @param {string[]} command
   * @param {{ name: string, cwd?: string, variables?: object, limitMs: number }} options
   */
  startBeside(command, { name, cwd = this.folder, variables = {}, limitMs }) {
    const outputFile = this.file(`${name}.txt`);
    const output = openSync(outputFile, 'w');
    const [program, ...words] = [...this.inNetwork, ...command];
    const child = spawn(program, words, {
      cwd,
      env: { ...this.environment, ...variables },
      stdio: ['ignore', output, output],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    closeSync(output);
    const ended = once(child, 'exit').then(([status, signal]) => ({
      status,
      signal,
      output: readFileSync(outputFile, 'utf8'),
    }));
    return { ended, outputSoFar: () => readFileSync(outputFile, 'utf8'), kill: () => child.kill('SIGKILL') };
  }
}

function withoutDisplay({ DISPLAY, WAYLAND_DISPLAY, ...rest }) {
  return rest;
}
