/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'quiet',
    seconds: 13,
    words: () => ['quiet', '--rates-hz', '60', '1000', '--hold', '6s'],
    roles: ['sending'],
  },
];
