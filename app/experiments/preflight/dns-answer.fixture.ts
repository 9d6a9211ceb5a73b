import { type DnsRecord, recordTypes } from './dns-message';

/** What a machine that answers by multicast sends, without pointers between names. */
export function dnsAnswer(records: readonly DnsRecord[]): Buffer {
  const header = Buffer.from([0, 0, 0x84, 0, 0, 0, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([header, ...records.map(encodeRecord)]);
}

function encodeRecord(record: DnsRecord): Buffer {
  const data = dataOf(record);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(recordTypes[record.type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(10, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(record.name), fixed, data]);
}

function dataOf(record: DnsRecord): Buffer {
  if (record.type === 'a') return Buffer.from(record.address.split('.').map(Number));
  if (record.type === 'ptr') return encodeName(record.target);
  const place = Buffer.alloc(6);
  place.writeUInt16BE(record.port, 4);
  return Buffer.concat([place, encodeName(record.target)]);
}

function encodeName(name: string): Buffer {
  const labels = (name.match(/(?:\\.|[^.\\])+/g) ?? []).map((label) =>
    Buffer.from(label.replace(/\\(.)/g, '$1')),
  );
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0]),
  ]);
}
