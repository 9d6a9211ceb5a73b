/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'receiver-fan-out',
    seconds: 19,
    words: (name) => [
      ...[
        'receiver-fan-out',
        '--format',
        '320x180@30',
        '--warm-up',
        '500ms',
        '--hold',
        '3s',
        '--max-receivers',
        '2',
        '--name',
        name,
        '--capture-logs',
      ],
    ],
    rate: 30,
    roles: ['receiving'],
  },
];
