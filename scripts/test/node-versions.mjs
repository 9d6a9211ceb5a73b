import { ensureNodeRelease, nodeLines } from '../setup/node-releases.mjs';
import { note } from '../setup/report.mjs';
import { sumOf } from './counts.mjs';
import { runVitest } from './vitest.mjs';

/**
 * What meets the Node that runs it: the addon; processes, threads, sockets and files of the engine, its hosts and the archive; then
 * the built commands and the packed test kit, with hosts that send and receive real NDI. What only computes is left to `npm test`.
 */
const parts = [
  { project: 'addon', files: ['native/tests/addon'] },
  {
    project: 'unit*',
    files: [
      ...[
        'capabilities',
        'content',
        'history',
        'load',
        'machine',
        'reports',
        'served',
        'sessions',
        'tools',
      ].map((name) => `app/engine/${name}`),
      ...['app/streamhost', 'app/archive', 'app/rpc', 'app/cli/binary.test.ts'],
    ],
  },
  {
    project: 'ndi*',
    files: [
      ...['own-node', 'network', 'selftest'].map((name) => `app/cli/${name}.ndi.test.ts`),
      'app/experiments/stream-load/stream-load.ndi.test.ts',
      'app/testkit/package.ndi.test.ts',
    ],
  },
];

/** Runs them in each of these releases of Node; a failed test is called by the release, too. */
export async function runNodeVersions() {
  // All before the first: where one cannot be had, this is known at once.
  const releases = [];
  for (const line of nodeLines) releases.push(await ensureNodeRelease(line));
  const counts = [];
  for (const release of releases)
    for (const { project, files } of parts) {
      note('node-versions', `${project} in Node ${release.version}`);
      counts.push(inRelease(release, await runVitest(project, '!machine', files, release)));
    }
  return sumOf(counts);
}

function inRelease({ version }, counts) {
  const named = (list) =>
    list.map((one) => ({ ...one, name: `Node ${version}: ${one.name ?? 'as a whole'}` }));
  const { failures, notMeasured, times } = counts;
  return { ...counts, failures: named(failures), notMeasured: named(notMeasured), times: named(times) };
}
