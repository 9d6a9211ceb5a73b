/**
 * Every experiment with small parameters, and a remote sender with its receiver. `commands` are arguments of `whiteline`; all begin
 * together, the last one's folder is judged, and `seconds` is how long that takes undisturbed. `rate` is frames a second. `roles` are the
 * processes that the matrix disturbs here, one by one; the same in another experiment is not repeated. Those that are `early` run at the
 * beginning alone.
 */

const rate = 30;
const stream = ['--format', `320x180@${rate}`];
const quick = ['--warm-up', '500ms', '--hold'];
const logs = '--capture-logs';

function run(id, seconds, words, more = {}) {
  return { id, seconds, tools: [], ...more, commandsOf: (name, random) => [['run', ...words(name, random)]] };
}

export const experiments = [
  run(
    'stream-load',
    15,
    (name) => [
      ...['stream-load', ...stream, ...quick, '4s', '--max-streams', '2', '--name', name, logs],
      ...['--stop-on', 'sender-miss', '--invalid-retries', '0'],
    ],
    { rate, roles: ['engine', 'sending', 'receiving'] },
  ),
  run(
    'stream-load of a movie',
    11,
    (name, { movie }) => [
      ...['stream-load', '--source', movie, ...quick, '4s', '--max-streams', '1', '--name', name, logs],
      ...['--stop-on', 'sender-miss', '--invalid-retries', '0'],
    ],
    { rate, tools: ['ffmpeg'], roles: ['ffmpeg'] },
  ),
  run(
    'receiver-fan-out',
    19,
    (name) => [
      ...['receiver-fan-out', ...stream, ...quick, '3s', '--max-receivers', '2', '--name', name, logs],
    ],
    { rate, roles: ['receiving'] },
  ),
  run(
    'transport',
    16,
    (name) => [
      ...['transport', ...stream, ...quick, '3s', '--max-streams', '1', '--name', name, logs],
      ...['--transports', 'tcp', 'udp', 'rudp'],
    ],
    { rate, roles: ['sending'] },
  ),
  run(
    'codec-quality',
    15,
    (name) => [
      ...['codec-quality', '--source', 'white-line', 'noise', '--sizes', '320x180', '--rate', String(rate)],
      ...['--frames', '6', ...quick, '4s', '--name', name, logs],
    ],
    { rate, roles: ['receiving'] },
  ),
  {
    ...{ id: 'send and watch', seconds: 13, tools: [], rate },
    roles: ['engine', 'receiving', 'remote engine', 'remote sending'],
    commandsOf: (name) => [
      ['send', ...stream, '--name', name, '--duration', '30s'],
      ['watch', `${name} 1`, '--duration', '10s', logs],
    ],
  },
  run('quiet', 13, () => ['quiet', '--rates-hz', '60', '1000', '--hold', '6s'], { roles: ['sending'] }),
  run('preflight', 8, () => ['preflight', '--duration', '3s'], { roles: ['engine'] }),
  run(
    'link by TCP',
    14,
    () => [
      ...['link', '--protocols', 'tcp', '--pings', '20', '--repeats', '1', '--hold', '4s', '--omit', '0s'],
    ],
    { tools: ['iperf3', 'ping'], roles: ['engine', 'iperf3', 'ping'], early: ['ping'] },
  ),
  run(
    'link by UDP',
    14,
    () => [
      ...['link', '--protocols', 'udp', '--pings', '20', '--repeats', '1', '--hold', '4s'],
      ...['--line-rate-mbps', '200', '--datagram-bytes', '1472'],
    ],
    { tools: ['iperf3', 'ping'], roles: ['iperf3'] },
  ),
  run(
    'storage',
    13,
    (_name, { folder }) => [
      ...['storage', '--folders', folder, '--size-mib', '32', '--repeats', '1', '--hold', '4s'],
      ...['--tests', 'SEQ1M-Q1T1', '--operations', 'read', 'write', '--format', '320x180@30'],
    ],
    { tools: ['fio'], roles: ['engine', 'fio'] },
  ),
  run(
    'pacing',
    13,
    () => [
      ...[
        'pacing',
        '--max-transit-ms',
        '50',
        '--path',
        'udp',
        '--methods',
        'timer',
        'spin',
        '--streams',
        '0',
        '--hold',
        '5s',
      ],
      '--raw-log',
    ],
    { roles: ['pacer that sends', 'pacer that receives'] },
  ),
  run(
    'fan-out',
    18,
    () => [
      ...['fan-out', '--subscribers', '2', '--hold', '4s'],
      ...['--cases', 'unicast best-effort', 'unicast reliable', 'multicast reliable'],
    ],
    { roles: ['fan-out'] },
  ),
  run(
    'nmos-scale',
    16,
    () => [...['nmos-scale', '--nodes', '50', '--hold', '8s', '--crosspoints', '20', '--breaks', '2s']],
    { roles: ['registry', 'nodes', 'controller'] },
  ),
];
