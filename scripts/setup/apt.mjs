import { spawnSync } from 'node:child_process';
import { couldNotAsk, mustRun, succeeds, sure } from './command.mjs';
import { hasApt, isRoot } from './platform.mjs';
import { requirePrograms } from './programs.mjs';
import { note, SetupError, step } from './report.mjs';

// Debian's packages by what they are for: a command installs only the groups it needs.
const packagesByGroup = {
  run: [
    ...['ffmpeg', 'libavahi-client3', 'libavahi-common3', 'avahi-daemon', 'dbus', 'procps', 'iproute2'],
    ...['iperf3', 'fio', 'iputils-ping', 'ethtool'],
  ],
  build: ['g++', 'cmake', 'ninja-build', 'python3', 'python3-pip', 'ca-certificates'],
  console: [
    ...['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libxtst6', 'libatspi2.0-0', 'libdrm2'],
    ...['libsecret-1-0', 'libnotify4', 'libegl1', 'fonts-dejavu-core', 'fonts-inter'],
  ],
  test: [
    'ccache',
    'xvfb',
    'libgtest-dev',
    'sysstat',
    'nlohmann-json3-dev',
    'libbenchmark-dev',
    'clang',
    'libclang-rt-dev',
    'clang-format',
    'clang-tidy',
    'nftables',
    'tshark',
    'avahi-utils',
    'dnsmasq-base',
    'nats-server',
    'chromium',
  ],
  // 96 MB: only the suite that asks a real Prometheus has it.
  deep: ['prometheus'],
  // 1.4 GB with what they need: only the suite `windows` has them.
  windows: ['g++-mingw-w64-x86-64-posix', 'wine64', 'p7zip-full'],
  bench: ['libbenchmark-dev', 'xvfb', 'cyclonedds-tools'],
  package: ['squashfs-tools', 'desktop-file-utils', 'dpkg', 'xdg-utils'],
};

// What a single figure or experiment needs. Nothing fails for lack of it: what needs it says so.
const optionalPackagesByGroup = {
  // Counts traffic over UDP, as root.
  run: ['libnftables1'],
  build: ['libfastrtps-dev'],
};

/** Installs what is missing of the groups; where it may not, names the packages and the command. */
export async function ensureSystemPackages(groups) {
  const wanted = [...new Set(groups.flatMap((group) => packagesByGroup[group] ?? []))];
  if (!hasApt) return requirePrograms(groups);
  const missing = missingPackages(wanted);
  if (missing.length > 0) await installAll(missing);
  await installOptional(groups);
}

async function installAll(missing) {
  if (!isRoot) {
    const installCommand = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
    throw new SetupError(
      `${missing.length} system packages are missing and only root may install them: ${missing.join(', ')}.`,
      `sudo apt-get update && sudo ${installCommand}`,
    );
  }
  await step(
    'apt',
    `installing ${missing.length} system packages: ${missing.join(' ')}`,
    async (onProgress) => {
      await apt(['update'], 'the package lists could not be fetched', onProgress);
      await apt(
        ['install', '-y', '--no-install-recommends', ...missing.map(offeredName)],
        `the packages ${missing.join(', ')} could not be installed`,
        onProgress,
      );
    },
  );
}

async function installOptional(groups) {
  const missing = missingPackages(groups.flatMap((group) => optionalPackagesByGroup[group] ?? []));
  if (missing.length === 0 || !isRoot) return;
  try {
    await installAll(missing);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    note('apt', `went on without ${missing.join(', ')}: ${error.message}`);
  }
}

function missingPackages(wanted) {
  if (wanted.length === 0) return [];
  const format = '${binary:Package} ${db:Status-Status}\\n';
  const names = wanted.flatMap((name) => [name, newTimeName(name)]);
  const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } };
  return missingAmong(wanted, spawnSync(dpkgQuery, ['-W', '-f', format, ...names], options));
}

const dpkgQuery = 'dpkg-query';
/** Of packages that it does not know, it says so, and ends with 1. A warning is of no package that is asked for. */
const harmless = /^dpkg-query: (no packages? found matching |warning: )/;

/**
 * Which of the packages are not installed, by dpkg's answer.
 * @throws SetupError for an answer from which it does not follow: that a question failed installs nothing
 */
export function missingAmong(wanted, result) {
  const { status, signal, stdout, stderr } = sure(dpkgQuery, result);
  if (result.error) throw couldNotAsk(dpkgQuery, result.error.message);
  if (signal) throw couldNotAsk(dpkgQuery, `${signal} ended it`);
  const troubles = stderr.split('\n').filter((line) => line !== '' && !harmless.test(line));
  if (status > 1 || troubles.length > 0)
    throw couldNotAsk(dpkgQuery, troubles.join('; ') || `exit status ${status}`);
  const installed = new Set(
    stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(/[ :]/)[0]),
  );
  return wanted.filter((name) => !installed.has(name) && !installed.has(newTimeName(name)));
}

// Distributions newer than Debian 12 renamed libraries whose time type grew to 64 bits.
function newTimeName(name) {
  return `${name}t64`;
}

function offeredName(name) {
  return succeeds('apt-cache', ['show', newTimeName(name)]) ? newTimeName(name) : name;
}

async function apt(commandArguments, failure, onProgress) {
  const onLine = (line) => onProgress(statusOf(line) ?? line);
  await mustRun('apt-get', ['-o', 'APT::Status-Fd=3', ...commandArguments], {
    failure,
    remedy:
      'where the lines above name a lock: wait until the other package manager has ended; where they say that dpkg was interrupted: `dpkg --configure -a`; where they name a package or a host: correct the sources in /etc/apt',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    extraPipes: ['pipe'],
    onLine,
  });
}

/** apt's own progress lines: `dlstatus:1:12.3:Retrieving…` and `pmstatus:package:45.6:Unpacking…`. */
function statusOf(line) {
  const match = /^(dl|pm)status:[^:]*:([\d.]+):(.*)$/.exec(line);
  return match && `${Math.round(Number(match[2]))} % ${match[3]}`;
}
