/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'link by TCP',
    seconds: 14,
    words: () => [
      ...['link', '--protocols', 'tcp', '--pings', '20', '--repeats', '1', '--hold', '4s', '--omit', '0s'],
    ],
    tools: ['iperf3', 'ping'],
    roles: ['engine', 'iperf3', 'ping'],
    early: ['ping'],
  },
  {
    id: 'link by UDP',
    seconds: 14,
    words: () => [
      ...['link', '--protocols', 'udp', '--pings', '20', '--repeats', '1', '--hold', '4s'],
      ...['--line-rate-mbps', '200', '--datagram-bytes', '1472'],
    ],
    tools: ['iperf3', 'ping'],
    roles: ['iperf3'],
  },
];
