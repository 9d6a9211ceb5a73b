import path from 'node:path';
import { exitStatusOf } from './exit-status.mjs';
import { setUp } from './setup/index.mjs';
import { isRoot, rootFolder } from './setup/platform.mjs';
import { note, runMain } from './setup/report.mjs';
import { quietEnvironment, quietFlags } from './start-quietly.mjs';
import { v8OptionsOf } from './v8-options.mjs';

const headlessFlag = '--headless';
/** What is started on machines of a fleet, in place of the console. */
const fleetCommands = ['agent', 'fleet'];
/** What a user who only wants to see it work waits for; flags of his own come behind and count. */
const shortRamp = ['run', 'stream-load', '--report', '--hold', '10s'];

await runMain(async () => {
  const userArguments = process.argv.slice(2).filter((argument) => argument !== headlessFlag);
  const hasDisplay =
    process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const isAsked = process.argv.includes(headlessFlag);
  if (fleetCommands.includes(userArguments[0])) return startCommand(userArguments);
  if (isAsked || !hasDisplay) return startHeadless(userArguments, isAsked);
  return startConsole(userArguments);
});

async function startConsole(userArguments) {
  const { electron } = await setUp(['console']);
  const flags = quietFlags(userArguments);
  if (isRoot) {
    note('start', 'root cannot use the sandbox of Electron, so it runs without: prefer an ordinary user');
    flags.push('--no-sandbox');
  }
  const words = [...flags, rootFolder, ...userArguments];
  return exitStatusOf(electron.executable, words, 'console', quietEnvironment());
}

async function startHeadless(userArguments, isAsked) {
  const why = isAsked ? '' : 'neither DISPLAY nor WAYLAND_DISPLAY is set: ';
  note('start', `${why}running the ramp in the terminal`);
  return startCommand([...shortRamp, ...userArguments]);
}

async function startCommand(words) {
  await setUp([]);
  const cli = path.join(rootFolder, 'dist/app/cli.cjs');
  return exitStatusOf(process.execPath, [...v8OptionsOf(), cli, ...words], words[0]);
}
