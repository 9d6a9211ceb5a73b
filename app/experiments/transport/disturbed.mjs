/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'transport',
    seconds: 16,
    words: (name) => [
      ...[
        'transport',
        '--format',
        '320x180@30',
        '--warm-up',
        '500ms',
        '--hold',
        '3s',
        '--max-streams',
        '1',
        '--name',
        name,
        '--capture-logs',
      ],
      ...['--transports', 'tcp', 'udp', 'rudp'],
    ],
    rate: 30,
    roles: ['sending'],
  },
];
