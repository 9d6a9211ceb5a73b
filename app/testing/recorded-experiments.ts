/** Experiments of which `test-content/runs` has a run, each in a folder of its name. */
export const recordedExperiments = [
  ...['stream-load', 'receiver-fan-out', 'transport', 'codec-quality'],
  ...['storage', 'preflight', 'link'],
];
