/**
 * A sender's own records as they travel over the NDI metadata channel:
 * <whiteline_records version="1" sender="1" source="4711" start="123" offset="456" boot="…" submitted="10-19,21" missed="20"/>
 * Frame numbers as ranges; start in ns of the sender's monotonic clock, offset in µs from it to wall time. Two machines
 * with the same boot id are one machine, with one monotonic clock.
 */
export interface SharedRecords {
  senderId: number;
  sourceId: number;
  startNs: number;
  wallOffsetUs: number;
  boot: string;
  submitted: number[];
  missed: number[];
}

/** Ranges of one message; more than a second of any rate is nonsense. */
const maxNumbers = 100_000;

export function sharedRecordsXml(records: SharedRecords): string {
  const attributes = {
    version: 1,
    sender: records.senderId,
    source: records.sourceId,
    start: Math.round(records.startNs),
    offset: Math.round(records.wallOffsetUs),
    boot: records.boot,
    submitted: rangesText(records.submitted),
    missed: rangesText(records.missed),
  };
  const text = Object.entries(attributes).map(([key, value]) => `${key}="${value}"`);
  return `<whiteline_records ${text.join(' ')}/>`;
}

/** Null for anything that is not such a message, or not a sound one: these are foreign bytes. */
export function parseSharedRecords(xml: string): SharedRecords | null {
  const body = /^<whiteline_records ((?:[a-z]+="[^"<>]*" ?)+)\/>$/.exec(xml)?.[1];
  if (!body) return null;
  const attributes = new Map(
    [...body.matchAll(/([a-z]+)="([^"]*)"/g)].map((match) => [match[1], match[2] ?? '']),
  );
  const number = (key: string): number =>
    /^\d{1,17}$/.test(attributes.get(key) ?? '') ? Number(attributes.get(key)) : Number.NaN;
  const submitted = parseRanges(attributes.get('submitted') ?? '');
  const missed = parseRanges(attributes.get('missed') ?? '');
  const records = {
    senderId: number('sender'),
    sourceId: number('source'),
    startNs: number('start'),
    wallOffsetUs: number('offset'),
    boot: attributes.get('boot') ?? '',
  };
  const sound = Object.values(records).every(
    (value) => typeof value === 'string' || Number.isSafeInteger(value),
  );
  if (number('version') !== 1 || !sound || !submitted || !missed) return null;
  return { ...records, submitted, missed };
}

function rangesText(numbers: number[]): string {
  const ranges: string[] = [];
  let first = 0;
  for (let index = 0; index < numbers.length; index++) {
    const current = numbers[index] ?? 0;
    if (numbers[index + 1] === current + 1) continue;
    const start = numbers[first] ?? 0;
    ranges.push(start === current ? `${current}` : `${start}-${current}`);
    first = index + 1;
  }
  return ranges.join(',');
}

function parseRanges(text: string): number[] | null {
  const numbers: number[] = [];
  for (const range of text === '' ? [] : text.split(',')) {
    const parts = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(range);
    const first = Number(parts?.[1]);
    const last = Number(parts?.[2] ?? parts?.[1]);
    if (!parts || last < first || last > 0xffffffff || numbers.length + last - first > maxNumbers)
      return null;
    for (let value = first; value <= last; value++) numbers.push(value);
  }
  return numbers;
}
