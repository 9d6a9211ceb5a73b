import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from './setup/platform.mjs';

// The arrows of docs/architecture.md: which of our own rooms the code of a room may import, its own apart.
const allowedRooms = {
  'app/facts': ['app/experiments/facts'],
  'app/protocol': ['app/facts'],
  'app/rpc': ['app/protocol'],
  'app/main': ['app/protocol', 'app/rpc'],
  'app/preload': ['app/protocol'],
  'app/streamhost': ['app/protocol', 'native/addon'],
  'app/standstill': ['app/protocol'],
  'app/engine': [
    ...['app/facts', 'app/protocol', 'app/rpc', 'app/nmos', 'app/standstill'],
    ...['app/experiments/declarations', 'app/experiments/runs'],
    // The books of Windows; nothing of streams.
    'native/addon',
  ],
  // What an experiment says: its figures and reasons, then its declaration, then what it does.
  'app/experiments/facts': ['app/facts'],
  'app/experiments/declarations': ['app/facts', 'app/protocol', 'app/experiments/facts'],
  'app/experiments': [
    ...['app/facts', 'app/protocol', 'app/experiments/facts', 'app/experiments/declarations'],
    ...['app/engine', 'app/nmos', 'app/standstill'],
  ],
  'app/experiments/runs': ['app/engine', 'app/experiments'],
  'app/archive': ['app/facts', 'app/protocol', 'app/rpc', 'app/engine', 'app/experiments/declarations'],
  'app/nmos': ['app/facts', 'app/protocol', 'app/standstill'],
  'app/fleet': ['app/facts', 'app/protocol', 'app/rpc', 'app/standstill', 'app/engine'],
  'app/metrics': ['app/facts', 'app/protocol', 'app/engine'],
  'app/console': [
    ...['app/facts', 'app/protocol', 'app/rpc', 'app/nmos', 'app/standstill', 'app/engine', 'app/fleet'],
    'app/metrics',
  ],
  'app/cli': [
    ...[
      'app/facts',
      'app/protocol',
      'app/engine',
      'app/fleet',
      'app/metrics',
      'app/nmos',
      'app/standstill',
      'app/experiments/declarations',
    ],
  ],
  'app/testkit': ['app/facts', 'app/protocol', 'app/engine'],
  'native/base': [],
  'native/media': ['native/base'],
  'native/transports/memory': ['native/base', 'native/media'],
  'native/transports/ndi': ['native/base', 'native/media'],
  'native/content': ['native/base', 'native/media'],
  // A room in another's folder stands before it.
  'native/addon/shared': ['native/base'],
  'native/addon/content': ['native/base', 'native/media', 'native/content', 'native/addon/shared'],
  'native/addon': [
    ...['app/protocol', 'native/base', 'native/media', 'native/transports/memory', 'native/transports/ndi'],
    'native/addon/shared',
  ],
  'native/helpers': ['native/base'],
  'native/mixer': ['native/base', 'native/helpers', 'native/transports/ndi', 'native/media'],
  renderer: ['app/facts', 'app/protocol', 'app/rpc', 'app/experiments/declarations'],
};
const experimentFolder = 'app/experiments';
// The files of an experiment that are data: anybody may read the first, forms, tables and reports the second.
const experimentFacts = /^app\/experiments\/(facts|[^/]+\/([\w-]+-)?(metrics|reasons))\.ts$/;
const experimentData = /^app\/experiments\/([^/]+|[^/]+\/(declaration|labels|stopped-early))\.ts$/;
const electronRooms = ['app/main', 'app/preload'];
// Headers of others that one room wraps for all.
const wrappedHeaders = [
  [/^Processing\.NDI\./, 'native/transports/ndi'],
  [/^(napi|node_api)\.h$/, 'native/addon'],
  [/^(fastdds|fastrtps|fastcdr)\//, 'native/helpers'],
];
// What shows and starts experiments knows none of them by name, but for the two that have a screen, or a command, of their own.
const anyExperiment = ['renderer/', 'app/cli/'];
const ownScreens = [
  ...['renderer/engine/ramp.ts', 'renderer/engine/source-settings.ts'],
  ...['app/cli/fleet-matrix.ts', 'app/cli/fleet-commands.ts'],
  ...['renderer/preflight/', 'renderer/texts/preflight.ts', 'renderer/navigation/screens.tsx'],
];
// Who takes the machine's time nevertheless, and why: what is real does not wait for the clock of a test.
const ownTime = {
  'app/archive/archive-process.ts': 'it gives the process the machine’s clock',
  'app/cli/folders.ts': 'it names a folder after the moment of a command',
  'app/cli/interrupt.ts': 'it tells one press of Ctrl-C from two',
  'app/cli/selftest.ts': 'it takes a seed from the moment',
  'app/engine/clock.ts': 'it hands the machine’s clock on',
  'app/console/engine-process.ts': 'it gives the process the machine’s clock',
  'app/experiments/fan-out/checks.ts': 'it listens on a real socket, which may hear nothing',
  'app/experiments/preflight/multicast-dns.ts': 'it asks over a real socket, which may hear nothing',
  'app/experiments/preflight/ports.ts': 'it connects a real socket, which may never be answered',
  'app/engine/machine/patience.ts': 'it waits for a real host, which may be busy',
  'app/engine/node-application.ts': 'it kills a real process that does not end',
  'app/engine/served/visitors.ts': 'it ends real connections that say nothing',
  'app/engine/sessions/read-run.ts': 'it compares with the time that the file system gave a file',
  'app/engine/streams/patience.ts': 'it gives up on a real process that does not answer',
  'app/engine/tools/run-tool.ts': 'it ends a real program that hangs',
  'app/main/dialogs.ts': 'it proposes a name of today for a file',
  'app/main/engine-process.ts': 'it gives up on a real process that does not answer',
  'app/main/main.ts': 'it gives the process the machine’s clock',
  'app/main/print-page.ts': 'it prints a real page that may never be drawn',
  'app/nmos/load/lean-client.ts':
    'it gives up on a real server, and rests a real connection as long as that says',
  'app/nmos/load/load-figures.ts': 'its histogram is no clock',
  'app/nmos/node/http-client.ts': 'it gives up on a real server that does not answer',
  'app/nmos/node/registration.ts': 'it gives up on a real registry while it ends',
  'app/nmos/programs/programs.ts': 'it gives the process the machine’s clock',
  'app/protocol/machine-clock.ts': 'it is the machine’s clock',
  'app/protocol/starter.ts': 'it looks whether a real process is there',
  'app/standstill/own-standstill.ts': 'it asks a real thread, which may not answer',
  'app/standstill/standstill-thread.ts': 'it finds out how late the machine wakes it',
  'app/standstill/thread-memory.ts': 'two real threads wait for each other',
  'app/streamhost/streamhost.ts': 'it gives the process the machine’s clock',
};
// Each command is a program of its own, and gives what it starts the machine's clock; so does the kit in a program of others.
const startsPrograms = ['app/cli', 'app/testkit'];
const timePattern =
  /\bDate\.now\b|\b(?:new )?Date\(\)|=\s*Date\b(?![.(])|\btimeStamp\b|\bAtomics\.wait\b|['"]timers\b|\bperformance\.\w+|\b(?:hrtime|uptime|setTimeout|setInterval|machineClock|AbortSignal\.timeout)\b|\bnode:(?:timers|perf_hooks)\b[\w/]*/g;
// An experiment is given what it needs, and opens none of it by itself; and who does nevertheless, and why.
const capabilityPattern = /^(?:runTool|machineBooks|Helpers|StreamSet|StreamHosts|HostConnection|RowMeter)$/;
const ownCapabilities = {
  'app/experiments/fan-out/fan-out-program.ts': 'it asks the helper before a run whether it can be used',
  'app/experiments/link/link.ts': 'it checks server and parameters before a run',
  'app/experiments/pacing/path.ts': 'it checks interfaces before a run',
  'app/experiments/storage/storage.ts': 'it checks folders before a run',
};
// Tests put rooms together as they like, and no room takes anything from them.
const testHelpers = 'renderer/testing/';
// What the tests of one folder share.
const fixture = /\.fixture(\.ts)?$/;
const sourcePattern = /(?<!\.test|\.fixture)\.tsx?$|\.(cc|h)$/;
// Static and dynamic imports, re-exports, require, and types taken by import('…').
const importPattern = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*)(['"`])([^'"`\n]+)\1/g;
const includePattern = /^[ \t]*#[ \t]*include[ \t]*([<"])([^">\n]+)[">]/gm;

/**
 * Every import that crosses a border which has no door, every experiment named where none may be, every time taken where the
 * clock is given, and every capability that an experiment opens by itself, as `{file, line, specifier, reason}`.
 */
export function boundaryViolations(folder = rootFolder) {
  const experiments = experimentsIn(path.join(folder, experimentFolder));
  return ['app', 'native', 'renderer']
    .flatMap((part) => sourceFilesIn(path.join(folder, part)))
    .filter((file) => roomOf(folder, file) !== null)
    .flatMap((file) => [
      ...violationsIn(folder, file),
      ...namedExperiments(folder, file, experiments),
      ...takenTimes(folder, file),
      ...ownOpened(folder, file),
    ]);
}

function experimentsIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function namedExperiments(folder, file, experiments) {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  const startsWithOneOf = (paths) => paths.some((start) => relative.startsWith(start));
  if (experiments.length === 0 || !startsWithOneOf(anyExperiment) || startsWithOneOf(ownScreens)) return [];
  const ids = experiments.join('|');
  const pattern = new RegExp(`(['"\`])(${ids})\\1|/experiments/(${ids})/`, 'g');
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(pattern)].map((match) => ({
    ...{
      file: relative,
      line: text.slice(0, match.index).split('\n').length,
      specifier: match[2] ?? match[3],
    },
    reason: 'the window and the command line know no experiment by name',
  }));
}

function takenTimes(folder, file) {
  const room = roomOf(folder, file);
  const relative = path.relative(folder, file).split(path.sep).join('/');
  if (!room.startsWith('app/') || relative in ownTime) return [];
  const text = readFileSync(file, 'utf8');
  const taken = [...text.matchAll(timePattern)].filter(
    ([name]) => !startsPrograms.includes(room) || name !== 'machineClock',
  );
  return taken.map((match) => ({
    ...{ file: relative, line: text.slice(0, match.index).split('\n').length, specifier: match[0] },
    reason: `${room} reads no clock and sets no timer of the machine: it takes a Clock of app/protocol/clock.ts`,
  }));
}

function ownOpened(folder, file) {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  if (!relative.startsWith(`${experimentFolder}/`) || relative in ownCapabilities) return [];
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\bimport\s*\{([^}]*)\}/g)].flatMap((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    const names = match[1].split(',').map((name) => name.trim().split(/\s+as\s+/)[0]);
    return names
      .filter((name) => capabilityPattern.test(name))
      .map((specifier) => ({
        ...{ file: relative, line, specifier },
        reason: 'an experiment uses what its context gives it, by what it needs',
      }));
  });
}

function sourceFilesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => sourcePattern.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

function violationsIn(folder, file) {
  const room = roomOf(folder, file);
  const text = readFileSync(file, 'utf8');
  const isNative = /\.(cc|h)$/.test(file);
  return [...text.matchAll(isNative ? includePattern : importPattern)].flatMap((match) => {
    const specifier = match[2];
    const target = path.resolve(path.dirname(file), specifier);
    const reason = isNative
      ? reasonAgainstInclude(folder, room, match[1] === '"', specifier)
      : specifier.startsWith('.')
        ? (reasonAgainstRoom(room, roomOf(folder, target)) ?? reasonAgainstOther(folder, file, target))
        : reasonAgainstPackage(room, specifier);
    const line = text.slice(0, match.index).split('\n').length;
    return reason ? [{ file: path.relative(folder, file), line, specifier, reason }] : [];
  });
}

/** The room in which a file stands; null if it is in none, as a built file in dist/, a test's data, helper or fixture. */
function roomOf(folder, file) {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  if (relative.startsWith(testHelpers) || fixture.test(relative)) return null;
  if (relative.startsWith(`${experimentFolder}/`)) return experimentRoomOf(relative);
  return Object.keys(allowedRooms).find((room) => relative.startsWith(`${room}/`)) ?? null;
}

function experimentRoomOf(relative) {
  const [facts, declarations, runs] = ['facts', 'declarations', 'runs'].map(
    (part) => `${experimentFolder}/${part}`,
  );
  const name = /\.tsx?$/.test(relative) ? relative : `${relative}.ts`;
  if (name === `${runs}.ts`) return runs;
  if (experimentFacts.test(name)) return facts;
  return experimentData.test(name) ? declarations : experimentFolder;
}

function reasonAgainstRoom(room, target) {
  if (target === room || allowedRooms[room].includes(target)) return null;
  const doors = [room, ...allowedRooms[room]].join(', ');
  return `${room} may import from ${doors} only, not from ${target ?? 'outside of the rooms'}`;
}

/** An experiment takes nothing of another one: what two of them need lies in the engine. */
function reasonAgainstOther(folder, file, target) {
  const [own, other] = [file, target].map((one) =>
    path.relative(path.join(folder, experimentFolder), one).split(path.sep),
  );
  const areTwo = own.length > 1 && other.length > 1 && own[0] !== '..' && other[0] !== '..';
  return areTwo && own[0] !== other[0] ? `the experiment ${own[0]} takes nothing of ${other[0]}` : null;
}

/** Our own C++ files, and no others, are included in quotes, by their path from the checkout. */
function reasonAgainstInclude(folder, room, isQuoted, specifier) {
  if (specifier.startsWith('native/')) {
    return reasonAgainstRoom(room, roomOf(folder, path.resolve(folder, specifier)));
  }
  if (isQuoted) return 'our own files are included by their path from the checkout';
  const wrapping = wrappedHeaders.find(([pattern]) => pattern.test(specifier))?.[1] ?? room;
  return wrapping === room || room.startsWith(`${wrapping}/`)
    ? null
    : `only ${wrapping} may include it, and ${room} what that makes of it`;
}

function reasonAgainstPackage(room, specifier) {
  const isElectron = specifier === 'electron' || specifier.startsWith('electron/');
  return isElectron && !electronRooms.includes(room) ? `${room} must not know Electron` : null;
}
