import { commandLine } from './command-line.mjs';
import { exitStatusOf } from './exit-status.mjs';
import { setUp } from './setup/index.mjs';
import { isRoot, rootFolder } from './setup/platform.mjs';
import { note, runMain } from './setup/report.mjs';
import { quietEnvironment, quietFlags } from './start-quietly.mjs';
import { whatStarts } from './what-starts.mjs';

await runMain(async () => {
  const hasDisplay =
    process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const started = whatStarts(process.argv.slice(2), hasDisplay);
  if (started.console) return startConsole(started.console);
  if (started.why !== undefined) note('start', `${started.why}running the ramp in the terminal`);
  return commandLine(started.command);
});

async function startConsole(words) {
  const { electron } = await setUp(['console']);
  const flags = quietFlags(words);
  if (isRoot) {
    note('start', 'root cannot use the sandbox of Electron, so it runs without: prefer an ordinary user');
    flags.push('--no-sandbox');
  }
  const all = [...flags, rootFolder, ...words];
  return exitStatusOf(electron.executable, all, 'console', quietEnvironment());
}
