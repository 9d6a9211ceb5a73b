import { beforeEach, expect, test } from 'vitest';
import type { Sender, Source } from '../../native/addon/index';
import { parseSharedRecords } from '../protocol/shared-records';
import { misses, range, submits } from '../testing/columns';
import { RecordSharing } from './record-sharing';

const source = { status: () => ({ sourceId: 4711, startNs: 5e9 }) } as unknown as Source;
let sent: string[];
let sharing: RecordSharing;
const sender = { sendMetadata: (xml: string) => sent.push(xml) } as unknown as Sender;

beforeEach(() => {
  sent = [];
  sharing = new RecordSharing(3, source, 1_700_000_000_000_000);
});

/** What the sender did in the 100 ms that end at `atMs`. */
function share(atMs: number, submitted: number[], missed: number[] = [], connections = 1): void {
  const records = submits(submitted);
  records.beginNs.fill(atMs * 1e6);
  sharing.share({ streamId: 3, firstSlot: 0, connections, submits: records, misses: misses(missed) }, sender);
}

test('records go out four times a second, none twice and none left out', () => {
  for (let batch = 0; batch < 20; batch++) {
    const first = batch * 6;
    share(1000 + batch * 100, range(first, first + 4), [first + 5]);
  }
  const told = sent.map((xml) => parseSharedRecords(xml));
  expect(told.length).toBeGreaterThanOrEqual(5);
  expect(told.length).toBeLessThanOrEqual(8);
  expect(told[0]).toMatchObject({ senderId: 3, sourceId: 4711, startNs: 5e9 });
  expect(told[0]?.boot).toMatch(/^[0-9a-f-]{36}$/);
  const numbers = told.flatMap((records) => [...(records?.submitted ?? []), ...(records?.missed ?? [])]);
  expect(numbers.sort((a, b) => a - b)).toEqual(range(0, numbers.length - 1));
});

test('nobody listens: what is kept stays small, and whoever comes is told the newest', () => {
  for (let batch = 0; batch < 1000; batch++) share(batch * 100, range(batch * 6, batch * 6 + 5), [], 0);
  expect(sent).toEqual([]);
  share(1_000_000, [6000]);
  const submitted = parseSharedRecords(sent[0] ?? '')?.submitted ?? [];
  expect(submitted.length).toBeLessThan(1000);
  expect(submitted.at(-1)).toBe(6000);
  expect(submitted).toEqual(range(submitted[0] ?? 0, 6000));
});
