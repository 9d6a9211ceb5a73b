/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'fan-out',
    seconds: 18,
    words: () => [
      ...['fan-out', '--subscribers', '2', '--hold', '4s'],
      ...['--cases', 'unicast best-effort', 'unicast reliable', 'multicast reliable'],
    ],
    roles: ['fan-out'],
  },
];
