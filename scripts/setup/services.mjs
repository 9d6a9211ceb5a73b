import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { run, succeeds } from './command.mjs';
import { isRoot } from './platform.mjs';
import { note, step } from './report.mjs';

const busFolder = '/run/dbus';

/**
 * Starts the system bus and avahi, which NDI's discovery by mDNS needs. Nothing else does:
 * where they cannot be started, known addresses still work, and one line says so.
 */
export async function ensureDiscoveryServices() {
  if (process.platform !== 'linux') return;
  if ((await busAnswers()) && avahiRuns()) return;
  const reason = isRoot
    ? await step('discovery', 'starting dbus and avahi', startServices)
    : 'as root: service avahi-daemon start';
  if (reason === null) return;
  note('discovery', `avahi is not running, so sources are found by known addresses only (${reason})`);
}

/** Resolves to why they do not run, null where they do. */
async function startServices() {
  if (!(await busAnswers())) {
    mkdirSync(busFolder, { recursive: true });
    // Left behind by a bus that was killed: the next one would not start beside it.
    rmSync(`${busFolder}/pid`, { force: true });
    const bus = await run('dbus-daemon', ['--system', '--fork']);
    if (!(await busAnswers())) return `dbus-daemon: ${wordsOf(bus)}`;
  }
  if (avahiRuns()) return null;
  const avahi = await run('avahi-daemon', ['--daemonize', '--no-rlimits']);
  return avahiRuns() ? null : `avahi-daemon: ${wordsOf(avahi)}`;
}

function wordsOf({ status, lastLines }) {
  return lastLines.slice(-2).join('; ') || `exit status ${status}`;
}

function avahiRuns() {
  return succeeds('avahi-daemon', ['--check']);
}

function busAnswers() {
  return new Promise((resolve) => {
    const socket = connect(`${busFolder}/system_bus_socket`);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
