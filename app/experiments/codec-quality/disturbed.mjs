/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'codec-quality',
    seconds: 15,
    words: (name) => [
      ...['codec-quality', '--source', 'white-line', 'noise', '--sizes', '320x180', '--rate', '30'],
      ...['--frames', '6', '--warm-up', '500ms', '--hold', '4s', '--name', name, '--capture-logs'],
    ],
    rate: 30,
    roles: ['receiving'],
  },
];
