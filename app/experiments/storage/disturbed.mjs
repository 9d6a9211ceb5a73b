/** Short runs for `scripts/soak/disturb`. */
export const disturbed = [
  {
    id: 'storage',
    seconds: 13,
    words: (_name, { folder }) => [
      ...['storage', '--folders', folder, '--size-mib', '32', '--repeats', '1', '--hold', '4s'],
      ...['--tests', 'SEQ1M-Q1T1', '--operations', 'read', 'write', '--format', '320x180@30'],
    ],
    tools: ['fio'],
    roles: ['engine', 'fio'],
  },
];
