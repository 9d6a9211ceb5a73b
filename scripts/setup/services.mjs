import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { couldNotAsk, run, succeeds } from './command.mjs';
import { isRoot } from './platform.mjs';
import { note, SetupError, step } from './report.mjs';

const busFolder = '/run/dbus';

/**
 * Starts the system bus and avahi, which NDI's discovery by mDNS needs. Nothing else does:
 * where they cannot be started, known addresses still work, and one line says so.
 */
export async function ensureDiscoveryServices() {
  if (process.platform !== 'linux') return;
  const reason = await whyNotRunning();
  if (reason !== null)
    note('discovery', `avahi is not running, so sources are found by known addresses only (${reason})`);
}

/** Resolves to null if they run by now. Where it cannot be known whether they do, nothing is started. */
async function whyNotRunning() {
  try {
    if ((await busAnswers()) && avahiRuns()) return null;
    return isRoot
      ? await step('discovery', 'starting dbus and avahi', startServices)
      : 'as root: service avahi-daemon start';
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return error.message;
  }
}

/** Resolves to why they do not run, null if they do. */
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

/** As the socket says of a bus that is not there. */
const noBus = ['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'EACCES'];

function busAnswers() {
  return new Promise((resolve, reject) => {
    const socket = connect(`${busFolder}/system_bus_socket`);
    socket.once('error', (error) => {
      if (noBus.includes(error.code)) resolve(false);
      else reject(couldNotAsk('the system bus', error.message));
    });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
