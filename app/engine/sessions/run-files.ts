/** The files of a run's folder. */
export const runFiles = {
  rows: 'rows.jsonl',
  samples: 'samples.jsonl',
  events: 'events.jsonl',
  run: 'run.json',
} as const;
