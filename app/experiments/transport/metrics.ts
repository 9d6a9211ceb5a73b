import { count, type Metric } from '../../facts/metrics/metric';

const sockets = 'ss -tunpie, /proc/net/igmp';
const words = { unit: '', digits: 0, direction: 'none', shape: 'words' } as const;

export const transportMetrics: readonly Metric[] = [
  {
    ...{ id: 'transport.asked', heading: 'Asked for', ...words },
    formula: 'the one that the NDI configuration of the row’s processes allows',
    description: 'Transport that was configured: rudp, tcp (several connections), udp or multicast.',
    source: 'ndi-config.v1.json of the row’s processes',
  },
  {
    ...{ id: 'transport.seen', heading: 'Seen', ...words },
    formula:
      'TCP of 0.5 Mb/s and more: tcp by its ports, otherwise single-tcp; without it UDP sockets: multicast by a joined group, ' +
      'otherwise rudp or udp by their ports',
    description:
      'Transport that the sockets of the sending and receiving process show; several where they show several.',
    source: sockets,
  },
  {
    ...{ id: 'transport.runtime', heading: 'Runtime', ...words },
    formula: 'what the library says of itself',
    description: 'Version of the NDI library that both processes loaded.',
    source: 'NDIlib_version',
  },
  count(
    'transport.runtimeNumber',
    'Runtime number',
    'none',
    '1, 2, 3 … in the order of the parameter runtimes',
    'Which of the given NDI libraries the row’s processes loaded. Not measured where no more than one was given.',
    'parameters',
  ),
  {
    ...{ id: 'transport.tcpMbps', heading: 'Over TCP', unit: 'Mb/s', digits: 2, direction: 'none' },
    formula:
      'payload bytes that the sending process’s TCP connections sent between two looks, over the time between them',
    description:
      'What went over TCP. If pictures take another way, only the little traffic of the control connections.',
    source: sockets,
  },
  {
    ...{ id: 'transport.networkMbps', heading: 'Network', unit: 'Mb/s', digits: 1, direction: 'none' },
    formula: 'bytes transmitted by all network interfaces between two looks, over the time between them',
    description:
      'What the sender’s machine transmitted, loopback included; a stream over loopback is transmitted once.',
    source: '/proc/net/dev',
  },
  count(
    'transport.tcpConnections',
    'TCP connections',
    'none',
    'established TCP connections of the sending process',
    'TCP connections of the sending process, control connections included.',
    sockets,
  ),
  count(
    'transport.udpSockets',
    'UDP sockets',
    'none',
    'UDP sockets of the sending and receiving process',
    'UDP sockets of both processes.',
    sockets,
  ),
];
