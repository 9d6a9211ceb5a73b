/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'nmos-scale',
    seconds: 16,
    words: () => [
      ...['nmos-scale', '--nodes', '50', '--hold', '8s', '--crosspoints', '20', '--breaks', '2s'],
    ],
    roles: ['registry', 'nodes', 'controller'],
  },
];
