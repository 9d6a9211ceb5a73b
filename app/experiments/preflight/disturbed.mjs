/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  { id: 'preflight', seconds: 8, words: () => ['preflight', '--duration', '3s'], roles: ['engine'] },
];
