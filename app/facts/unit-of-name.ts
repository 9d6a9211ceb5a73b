/** A unit stands at the end of a field's name: `holdSeconds` is a hold in seconds. */
const unitsBySuffix: readonly (readonly [suffix: string, unit: string])[] = [
  ['Seconds', 's'],
  ['Mbps', 'Mb/s'],
  ['MBps', 'MB/s'],
  ['Percent', '%'],
  ['Bytes', 'B'],
  ['Mib', 'MiB'],
  ['Hz', 'Hz'],
  ['Ms', 'ms'],
  ['Us', 'µs'],
  ['Db', 'dB'],
];

/** Both empty if a name has no unit. */
export function unitOfName(name: string): { suffix: string; unit: string } {
  const [suffix = '', unit = ''] = unitsBySuffix.find(([end]) => name.endsWith(end)) ?? [];
  return { suffix, unit };
}
