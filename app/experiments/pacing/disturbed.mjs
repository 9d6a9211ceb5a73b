/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'pacing',
    seconds: 13,
    words: () => [
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
    roles: ['pacer that sends', 'pacer that receives'],
  },
];
